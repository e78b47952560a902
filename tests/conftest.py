"""Golden files for all tests: ``golden.text`` and ``golden.image``, and ``--update-golden``."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import settings
from PIL import Image, ImageChops, ImageStat

from builder.jobs.build_module import build_module

TESTS = Path(__file__).parent

# The same examples in every run, so that a test fails for what was changed and not by chance;
# `make soak` tries many more. To look for new ones: HYPOTHESIS_PROFILE=explore.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile("soak", deadline=None, max_examples=200, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=3000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the tests make as the expected files; read the diff afterwards",
    )
    parser.addoption(
        "--update-recordings",
        action="store_true",
        help="keep the logs that the engine tests record as tests/fixtures/logs",
    )


@pytest.fixture(scope="session")
def dropzone_vmod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The main game's module, built once for the tests that need a real one."""
    folder = tmp_path_factory.mktemp("dropzone")
    shutil.copytree(TESTS.parent / "mapdata" / "dropzone", folder / "data")
    path = folder / "dropzone.vmod"
    build_module(folder / "data", path)
    return path


class Golden:
    """Expected files in ``tests/golden/<the test's folder>``."""

    def __init__(self, folder: Path, scratch: Path, update: bool) -> None:
        self.folder, self.scratch, self.update = folder, scratch, update

    def text(self, name: str, actual: str) -> None:
        """Compare a text exactly with ``<name>.txt``."""
        path = self.folder / f"{name}.txt"
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(actual + "\n", encoding="utf-8", newline="\n")
        if not path.exists():
            pytest.fail(f"no golden file {path}; make it with --update-golden")
        expected = path.read_text(encoding="utf-8").removesuffix("\n")
        if actual != expected:
            written = self.scratch / f"{name}.actual.txt"
            written.write_text(actual + "\n", encoding="utf-8")
            hint = f"{path.name} differs; {written} has what was made\n"
            assert actual.split("\n") == expected.split("\n"), hint

    def image(self, name: str, actual: Image.Image, epsilon: float = 1.5) -> None:
        """Compare an image with ``<name>.png``: same size and mode, mean difference <= epsilon.

        The difference is the mean over pixels of the channels' mean, of 255. Pixels are compared
        and not bytes, as FreeType and zlib differ from build to build.
        """
        path = self.folder / f"{name}.png"
        assert max(actual.size) < 300, "golden images are small"
        if self.update:
            path.parent.mkdir(parents=True, exist_ok=True)
            actual.save(path, optimize=True)
        if not path.exists():
            pytest.fail(f"no golden file {path}; make it with --update-golden")
        with Image.open(path) as file:
            expected = file.copy()
        same = actual.size == expected.size and actual.mode == expected.mode
        difference = ImageChops.difference(actual, expected) if same else None
        mean = max(ImageStat.Stat(difference).mean) if difference else float("inf")
        if mean <= epsilon:
            return
        actual.save(self.scratch / f"{name}.actual.png")
        expected.save(self.scratch / f"{name}.expected.png")
        if difference:
            difference.convert("RGB").save(self.scratch / f"{name}.diff.png")
        pytest.fail(
            f"{path.name}: {actual.mode} {actual.size}, expected {expected.mode} {expected.size}; "
            f"mean difference {mean:.2f} > {epsilon}; see expected, actual, diff in {self.scratch}"
        )


@pytest.fixture
def golden(request: pytest.FixtureRequest, tmp_path: Path) -> Golden:
    folder = TESTS / "golden" / request.path.parent.relative_to(TESTS)
    update = bool(request.config.getoption("--update-golden"))
    return Golden(folder, tmp_path, update)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("HEXWRIGHT_SOAK"):
        return
    for item in items:
        if item.get_closest_marker("soak"):
            item.add_marker(pytest.mark.skip(reason="a long count: run `make soak`"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many rows of each rulebook some mutant of a log has shown to be found."""
    due: set[str] = set()
    caught: set[str] = set()
    for report in terminalreporter.stats.get("passed", ()):
        for name, row in getattr(report, "user_properties", ()):
            if name == "row due":
                due.add(str(row))
            elif name == "row caught":
                caught.add(str(row))
    for line in caught_lines(due, caught):
        terminalreporter.write_line(line)


def caught_lines(due: set[str], caught: set[str]) -> list[str]:
    """Return a line for each rulebook: how many of its rows were found, and which were not."""
    lines = []
    for book in sorted({book_of(row) for row in due}):
        wanted = {row for row in due if book_of(row) == book}
        missing = ", ".join(sorted(wanted - caught))
        line = f"{book} rows caught: {len(wanted & caught)} of {len(wanted)}"
        lines.append(f"{line}; missing: {missing}" if missing else line)
    return lines


def book_of(row: str) -> str:
    """Return what the rows of a rulebook begin with: DZ of DZ-5.1h, E9 of E9.2b."""
    return re.split("[-.]", row, maxsplit=1)[0]
