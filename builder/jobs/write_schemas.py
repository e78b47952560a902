"""The JSON Schemas of every TOML file that people edit."""

from __future__ import annotations

import json
from pathlib import Path

from builder.gamebox.files import SCHEMAS
from builder.problems import UsageError, did_you_mean
from builder.reading import json_schema
from builder.workspace import atomic_write

__all__ = ["schema_text", "schema_texts", "write_schemas"]


def schema_texts() -> dict[str, str]:
    """Return file name (``map.toml``) to the text of its schema."""
    return {name: schema_text(name) for name in SCHEMAS}


def schema_text(name: str) -> str:
    """Return the schema of one kind of file as JSON text.

    Raises :class:`UsageError` naming the nearest known kind.
    """
    wanted = name if name in SCHEMAS or f"{name}.toml" not in SCHEMAS else f"{name}.toml"
    if wanted not in SCHEMAS:
        raise UsageError(f"no schema {name!r}{did_you_mean(name, SCHEMAS)}")
    kind = SCHEMAS[wanted]
    summary = (kind.__doc__ or "").strip().splitlines()[0].replace("``", "")
    schema = json_schema(kind, wanted, summary)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema into a folder; return the files."""
    written = []
    for name, text in schema_texts().items():
        path = folder / f"{name}.json"
        atomic_write(path, text)
        written.append(path)
    return written
