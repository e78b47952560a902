"""The built wheel: it carries art, templates and games, and works from another folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("hatchling", reason="hatchling of the dev extra builds the wheel")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("hexwright-*.whl")
    return path


def test_the_wheel_carries_the_data_and_nothing_of_the_tests(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    wanted = {
        "builder/py.typed",
        "builder/_data/art/palette.toml",
        "builder/_data/art/symbols/tank.svg",
        "builder/_data/mapdata/dropzone/counters.csv",
        "builder/_data/mapdata/dropzone/scenarios/standard.toml",
        "builder/_data/templates/counters/unit.toml",
        "builder/_data/templates/module/buildFile.xml",
    }
    assert wanted <= names
    tops = {n.split("/")[0] for n in names}
    assert {t for t in tops if not t.startswith("hexwright-")} == {"builder"}


def test_a_build_from_the_wheel_in_another_folder(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    zipfile.ZipFile(wheel).extractall(site)
    home = tmp_path / "home"
    home.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", "from builder.cli import main; main()", "build", "dropzone"],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (home / "dist" / "dropzone.vmod").stat().st_size > 1_000_000
    assert "wrote dist" in done.stdout
    # a pipe gets no progress bar
    assert done.stderr == ""
