"""Read a save or log with pywargame and write it back: run by an interpreter that has it.

Usage: ``python peer_pywargame.py FILE OUT``. Writes one JSON object to standard error, as the
package itself writes to standard output: seconds of processor time, and counts of pieces. A piece
is what the package's own tools take for one, a line that begins with ``+``.
"""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

from pywargame.vassal import SaveIO, WithTraits  # type: ignore[import-not-found]  # not ours


def main(source: str, target: str) -> dict[str, float]:
    """Return the seconds that each part takes, and how many pieces change on the way."""
    times = [time.process_time()]
    key, lines = SaveIO.readSave(source)
    times.append(time.process_time())
    at = [index for index, line in enumerate(lines) if line.startswith("+")]
    pieces, failed = {}, 0
    for index in at:
        try:
            pieces[index] = WithTraits.decodeAdd2(lines[index])
        except Exception:  # whatever the peer raises, it has not read the piece
            failed += 1
    times.append(time.process_time())
    changed = 0
    written = list(lines)
    for index, (identity, traits) in pieces.items():
        try:
            written[index] = WithTraits.encodeAdd(*traits, iden=identity)
        except Exception:  # nor has it written this one
            failed += 1
            continue
        # Backslashes at the end belong to the delimiter of what is nested behind the piece.
        changed += written[index].rstrip("\\") != lines[index].rstrip("\\")
    times.append(time.process_time())
    SaveIO.writeSave(target, key, written)
    times.append(time.process_time())
    names = ("read", "decode", "encode", "write")
    spent = {name: times[at + 1] - times[at] for at, name in enumerate(names)}
    return {**spent, "pieces": len(at), "failed": failed, "changed": changed}


if __name__ == "__main__":
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):
        result = main(*sys.argv[1:3])
    sys.stderr.write(json.dumps(result) + "\n")
