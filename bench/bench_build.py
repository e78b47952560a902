"""The whole `hexwright build dropzone` as a user runs it, and `--help`.

Figures to hold on two cores, medians: the build at most 4 s and 400 MB, the help at most 0.15 s.
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-c", "from builder.cli import main; main()"]
MB = 1024 if sys.platform != "darwin" else 1024 * 1024


def test_build_dropzone(benchmark: Any, tmp_path: Path) -> None:
    target = str(tmp_path / "dropzone.vmod")

    def build() -> None:
        subprocess.run([*COMMAND, "build", "dropzone", "-q", "-o", target], check=True)

    benchmark.pedantic(build, rounds=5, warmup_rounds=1)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / MB
    benchmark.extra_info["peak MB"] = round(peak)
    print(f"\npeak memory of a build: {peak:.0f} MB (to hold: 400 MB)")


def test_help(benchmark: Any) -> None:
    benchmark.pedantic(
        lambda: subprocess.run([*COMMAND, "--help"], check=True, capture_output=True),
        rounds=10,
        warmup_rounds=2,
    )
