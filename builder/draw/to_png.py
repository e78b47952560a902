"""PDF -> pixels: PDFium renders the painter's pages, Pillow finishes them as PNG.

Pixels are exact: a page is stretched to whole pixels, so no edge row is partly covered. Pages
without a background come out transparent. Same pages, same bytes.
"""

from __future__ import annotations

import ctypes
import io
from collections.abc import Sequence

from PIL import Image

from builder.draw.indexed import indexed
from builder.draw.scene import Scene
from builder.draw.symbols import SymbolLibrary
from builder.draw.to_pdf import POINTS_PER_MM, scenes_to_pdf
from builder.problems import BuilderError

__all__ = ["RenderError", "image_to_png", "pdf_to_images", "scene_to_image", "scenes_to_images"]


LARGE_PIXELS = 4_000_000


class RenderError(BuilderError):
    """PDFium could not read or render a page."""


def pdf_to_images(
    pdf: bytes,
    *,
    px_per_mm: float | None = None,
    sizes: Sequence[tuple[int, int]] | None = None,
    transparent: Sequence[bool] | None = None,
) -> list[Image.Image]:
    """Return every page as an image, RGBA where ``transparent`` says so, else RGB on white.

    Give ``sizes`` in pixels for each page, or ``px_per_mm``, which is rounded to whole pixels.
    Raises :class:`RenderError`.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError as error:
        raise RenderError(f"cannot read the PDF: {error}") from error
    try:
        images: list[Image.Image] = []
        for index in range(len(document)):
            page = document[index]
            if sizes is not None:
                size = sizes[index]
            else:
                scale = (px_per_mm or POINTS_PER_MM) / POINTS_PER_MM
                size = (round(page.get_width() * scale), round(page.get_height() * scale))
            images.append(_render(page, size, bool(transparent and transparent[index])))
            page.close()
        return images
    finally:
        document.close()


def _render(page: object, size: tuple[int, int], transparent: bool) -> Image.Image:
    from pypdfium2 import raw

    width, height = size
    if width < 1 or height < 1:
        raise RenderError(f"a page of {width} x {height} pixels cannot be rendered")
    pixels = bytearray(4 * width * height)
    memory = (ctypes.c_ubyte * len(pixels)).from_buffer(pixels)
    # 32 bits per pixel in both cases: PDFium is quickest with them
    layout = raw.FPDFBitmap_BGRA if transparent else raw.FPDFBitmap_BGRx
    bitmap = raw.FPDFBitmap_CreateEx(width, height, layout, memory, 4 * width)
    if not bitmap:
        raise RenderError(f"no memory for a page of {width} x {height} pixels")
    raw.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0 if transparent else 0xFFFFFFFF)
    flags = raw.FPDF_REVERSE_BYTE_ORDER
    raw.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    raw.FPDFBitmap_Destroy(bitmap)
    if transparent:
        return Image.frombuffer("RGBA", size, pixels, "raw", "RGBA", 0, 1)
    return Image.frombytes("RGB", size, pixels, "raw", "RGBX", 0, 1)


def scenes_to_images(
    scenes: Sequence[Scene],
    px_per_mm: float,
    *,
    symbols: SymbolLibrary | None = None,
) -> list[Image.Image]:
    """Return scenes as images of one scale; a scene without background is transparent (RGBA)."""
    sizes = [(round(s.width * px_per_mm), round(s.height * px_per_mm)) for s in scenes]
    pdf = scenes_to_pdf(scenes, symbols=symbols, compress=False)
    return pdf_to_images(pdf, sizes=sizes, transparent=[s.background is None for s in scenes])


def scene_to_image(
    scene: Scene,
    px_per_mm: float | None = None,
    *,
    size: tuple[int, int] | None = None,
    symbols: SymbolLibrary | None = None,
) -> Image.Image:
    """Return one scene as an image of ``size`` pixels or of ``px_per_mm``."""
    pdf = scenes_to_pdf([scene], symbols=symbols, compress=False)
    return pdf_to_images(
        pdf,
        px_per_mm=px_per_mm,
        sizes=None if size is None else [size],
        transparent=[scene.background is None],
    )[0]


def image_to_png(image: Image.Image, *, palette: bool = True) -> bytes:
    """Return an image as the bytes of a PNG file.

    With ``palette`` an RGB or RGBA image is cut to 256 colors where no eye sees it, as
    :func:`~builder.draw.indexed.indexed` measures; else all its colors are kept.
    """
    if palette and image.mode in {"RGB", "RGBA"}:
        image = indexed(image) or image
    buffer = io.BytesIO()
    # level 6 is within 5 % of the smallest file, at an eighth of the time of level 9; on a whole
    # map level 4 is another 6 % larger, in half the time
    is_large = image.width * image.height > LARGE_PIXELS
    image.save(buffer, "PNG", compress_level=4 if is_large else 6)
    return buffer.getvalue()
