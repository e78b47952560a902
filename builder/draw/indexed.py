"""Images of at most 256 colors, where no eye sees the difference.

What we draw has few paints and many blends of two paints along edges. Blends that lie close
together share an entry of the palette; a paint that covers an area keeps its color exactly. The
result is measured: an image that would come out worse than :data:`MEAN_ERROR` or
:data:`MAX_ERROR` is left as it is. An indexed image is a quarter of the size.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageChops

__all__ = ["MAX_ERROR", "MEAN_ERROR", "indexed"]

MEAN_ERROR: Final = 0.75
"""Largest allowed mean difference of a channel, of 255, over all pixels."""
MAX_ERROR: Final = 32
"""Largest allowed difference of a channel, of 255, in any pixel; in drawings those beyond 12 are
single pixels of edges, one in ten thousand."""
COLORS: Final = 256

_Colors: TypeAlias = npt.NDArray[np.uint32]
"""Colors as little-endian numbers: red in the lowest byte, alpha in the highest."""
_Indexes: TypeAlias = npt.NDArray[np.uint8]

_SMALL: Final = 1 << 17
"""Up to this many pixels every color is counted; beyond, colors are first binned."""
_OPAQUE: Final = np.uint32(0xFF000000)
_STRIP: Final = 1 << 18
"""Pixels worked on at once: few enough to stay in the processor's cache."""


def indexed(image: Image.Image) -> Image.Image | None:
    """Return an RGB or RGBA image with a palette, or ``None`` where the loss could be seen.

    Pixels of one color get one color, wherever they are, so flat areas stay flat. Transparency is
    kept exactly; a large image that is transparent anywhere is not reduced at all.
    """
    if image.mode not in {"RGB", "RGBA"}:
        raise ValueError(f"expected an RGB or RGBA image, got {image.mode}")
    if image.width * image.height <= _SMALL:
        return _every_color(image)
    if image.mode == "RGBA":
        if image.getchannel("A").getextrema() != (255, 255):
            return None
        image = image.convert("RGB")
    return _binned(image)


def _pixels(image: Image.Image) -> _Colors:
    """The pixels as colors; opaque where the image knows no transparency."""
    if image.mode == "RGB":
        # Pillow's own layout of RGB has a fourth byte, of any value
        packed: _Colors = np.frombuffer(image.convert("RGBX").tobytes(), dtype="<u4")
        return packed | _OPAQUE
    packed = np.frombuffer(image.tobytes(), dtype="<u4")
    return packed * (packed > 0xFFFFFF)


def _with_palette(size: tuple[int, int], entries: _Colors, indexes: _Indexes) -> Image.Image:
    result = Image.frombytes("P", size, indexes.tobytes())
    result.putpalette(_bytes(entries)[:, :3].tobytes(), "RGB")
    if bool((entries < _OPAQUE).any()):
        result.info["transparency"] = _bytes(entries)[:, 3].tobytes()
    return result


def _bytes(colors: _Colors) -> _Indexes:
    return np.ascontiguousarray(colors, dtype="<u4").view(np.uint8).reshape(-1, 4)


def _error_is_unseen(colors: _Colors, chosen: _Colors, counts: npt.NDArray[np.intp]) -> bool:
    error = np.abs(_bytes(colors).astype(np.int16) - _bytes(chosen))[:, :3]
    mean = float((error.sum(axis=1) * counts).sum()) / (3 * float(counts.sum()))
    return int(error.max()) <= MAX_ERROR and mean <= MEAN_ERROR


def _every_color(image: Image.Image) -> Image.Image | None:
    """Count all colors and join near blends, by ever coarser cells of the color cube."""
    pixels = _pixels(image)
    # twice as quick as np.unique with its inverse, which sorts indirectly
    in_order = np.sort(pixels)
    starts = np.flatnonzero(np.concatenate(([True], in_order[1:] != in_order[:-1])))
    colors, counts = in_order[starts], np.diff(starts, append=in_order.size)
    found = np.searchsorted(colors, pixels)
    if len(colors) <= COLORS:
        return _with_palette(image.size, colors, found.astype(np.uint8))
    # the commonest color of a cell stands for it: sorted last, written last
    order = np.argsort(counts, kind="stable")
    for bits in (1, 2, 3):
        level = (0xFF << bits) & 0xFF
        cells, cell = np.unique(colors & np.uint32(_OPAQUE | level * 0x010101), return_inverse=True)
        if len(cells) <= COLORS:
            entries = np.zeros(len(cells), np.uint32)
            entries[cell[order]] = colors[order]
            break
    else:
        if not bool((colors >= _OPAQUE).all()):
            return None
        entries, cell = _spread(colors, counts)
    if not _error_is_unseen(colors, entries[cell], counts):
        return None
    return _with_palette(image.size, entries, cell.astype(np.uint8)[found])


def _cells(pixels: _Colors) -> _Colors:
    """The cell of each pixel: the upper six bits of red, green and blue."""
    cells = (pixels >> np.uint32(2)) & np.uint32(0x3F)
    cells |= (pixels >> np.uint32(4)) & np.uint32(0xFC0)
    cells |= (pixels >> np.uint32(6)) & np.uint32(0x3F000)
    return cells


def _binned(image: Image.Image) -> Image.Image | None:
    """Count cells of the color cube, and take each cell's commonest color from a sample.

    Goes over the image in strips, twice, so that it needs little memory beside the image.
    """
    width, height = image.size
    tall = max(1, _STRIP // width)
    boxes = [(0, y, width, min(height, y + tall)) for y in range(0, height, tall)]
    counts = np.zeros(1 << 18, np.intp)
    samples: list[_Colors] = []
    for box in boxes:
        pixels = _pixels(image.crop(box))
        counts += np.bincount(_cells(pixels), minlength=1 << 18)
        # an odd step, so that the sample is no comb of columns
        samples.append(pixels[::7])
    cells = counts.nonzero()[0].astype(np.uint32)
    colors = np.zeros(1 << 18, np.uint32)
    middle = ((cells & 0x3F) << 2) | ((cells & 0xFC0) << 4) | ((cells & 0x3F000) << 6)
    colors[cells] = middle | np.uint32(0xFF020202)
    sample, often = np.unique(np.concatenate(samples), return_counts=True)
    by_area = sample[np.argsort(often, kind="stable")]
    colors[_cells(by_area)] = by_area
    entries, nearest = _spread(colors[cells], counts[cells])
    index = np.zeros(1 << 18, np.uint8)
    index[cells] = nearest
    result = Image.new("P", image.size)
    result.putpalette(_bytes(entries)[:, :3].tobytes(), "RGB")
    errors = np.zeros(256, np.int64)
    for box in boxes:
        strip = image.crop(box)
        cut = _with_palette(strip.size, entries, index[_cells(_pixels(strip))])
        result.paste(cut, box)
        difference = ImageChops.difference(strip, cut.convert("RGB")).histogram()
        errors += np.array(difference).reshape(3, 256).sum(axis=0)
    mean = float((errors * np.arange(256)).sum() / errors.sum())
    return result if mean <= MEAN_ERROR and not errors[MAX_ERROR + 1 :].any() else None


def _spread(colors: _Colors, counts: npt.NDArray[np.intp]) -> tuple[_Colors, npt.NDArray[np.intp]]:
    """Choose the palette: again and again the color that is worst served so far.

    A color's claim is its squared distance to the nearest chosen one, times the fourth root of
    its area: large areas come out exactly and no rare blend is far off. Returns the palette and
    the nearest entry of each color.
    """
    points = _bytes(colors)[:, :3].astype(np.float32)
    claim = counts.astype(np.float32) ** 0.25
    distance = np.full(len(colors), np.inf, np.float32)
    nearest = np.zeros(len(colors), np.intp)
    chosen: list[int] = []
    worst = int(counts.argmax())
    while len(chosen) < COLORS and distance[worst] > 0:
        away = np.square(points - points[worst]).sum(axis=1)
        closer = away < distance
        nearest[closer] = len(chosen)
        distance[closer] = away[closer]
        chosen.append(worst)
        worst = int((distance * claim).argmax())
    return colors[chosen], nearest
