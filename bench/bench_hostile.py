"""What absurd logs cost: each shape of a megabyte or so, by every command that reads logs.

To hold: 2 s of the processor and 500 MB each. Every run is a process of its own, whose time and
peak memory the system tells; the start of Python (0.2 s) is part of it. The worst come first.

Run: ``python bench/bench_hostile.py [SIZE [WORD]]``; WORD chooses shapes.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT)]

from hostile_shapes import names, shape  # noqa: E402  (found by the line above)

COMMANDS = (
    ["log", "{}"],
    ["log", "{}", "--json"],
    ["log", "{}", "{}", "-m", "tiny.vmod", "--for", "Red"],
    ["stats", "{}", "{}"],
    ["stats", "{}", "--html", "page.html", "--typed", "-q"],
    ["stats", "{}", "--json"],
    ["show", "{}"],
    ["diff", "{}", "good.vlog"],
)
LIMIT = 30.0


def run(arguments: list[str], folder: Path) -> tuple[float, float, int | None, int]:
    """Return seconds of the processor, MB at the peak, the exit code, and bytes of output."""
    command = [sys.executable, "-c", "from builder.cli import main; main()", *arguments]

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, 3 * 2**30))
        resource.setrlimit(resource.RLIMIT_CPU, (int(LIMIT), int(LIMIT) + 1))

    output = folder / "output"
    with output.open("wb") as file:
        process = subprocess.Popen(
            command, cwd=folder, stdout=file, stderr=subprocess.STDOUT, preexec_fn=limited,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    return seconds, usage.ru_maxrss / 1024, process.returncode, output.stat().st_size


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    word = sys.argv[2] if len(sys.argv) > 2 else ""
    rows = []
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "good.vlog").write_bytes(shape("rolls", 10))
        from engine.tiny_module import write_tiny

        write_tiny(folder / "tiny.vmod")
        for name in names():
            if word not in name:
                continue
            (folder / "bad.vlog").write_bytes(shape(name, size))
            for command in COMMANDS:
                arguments = [part.format("bad.vlog") for part in command]
                seconds, peak, code, written = run(arguments, folder)
                rows.append((seconds, peak, code, written, name, " ".join(command)))
    print(f"{size} things each, {time.perf_counter() - start:.0f} s")
    print("  CPU s     MB  exit    output  shape: command")
    for seconds, peak, code, written, name, words in sorted(rows, reverse=True, key=lambda r: r[0]):
        print(f"{seconds:7.2f} {peak:6.0f} {code:5} {written:9}  {name}: {words}")


if __name__ == "__main__":
    main()
