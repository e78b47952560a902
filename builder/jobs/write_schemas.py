"""The JSON Schemas of every TOML file that people edit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from builder.draw.charts_style import ChartStyle
from builder.draw.layouts import LayoutFile
from builder.draw.map_style import MapStyle
from builder.gamebox.charts_file import ChartsFile
from builder.gamebox.files import SCHEMAS
from builder.gamebox.lines_file import LinesFile
from builder.gamebox.open_help import HelpFile
from builder.jobs.trace_settings import TraceFile
from builder.problems import UsageError, did_you_mean
from builder.reading import json_schema
from builder.vassal.traits import trait_classes
from builder.workspace import atomic_write

__all__ = ["schema_text", "schema_texts", "write_schemas"]

KINDS: dict[str, type[Any]] = {
    **SCHEMAS,
    "chart-style.toml": ChartStyle,
    "charts.toml": ChartsFile,
    "counter-layout.toml": LayoutFile,
    "help.toml": HelpFile,
    "lines.toml": LinesFile,
    "map-style.toml": MapStyle,
}
"""Kind of file to its dataclass: a game's own files, and those of ``templates``."""


def schema_texts() -> dict[str, str]:
    """Return kind of file (``map.toml``) to the text of its schema."""
    return {name: schema_text(name) for name in sorted(KINDS)}


def schema_text(name: str) -> str:
    """Return the schema of one kind of file as JSON text.

    Raises :class:`UsageError` naming the nearest known kind.
    """
    wanted = name if name in KINDS or f"{name}.toml" not in KINDS else f"{name}.toml"
    if wanted not in KINDS:
        raise UsageError(f"no schema {name!r}{did_you_mean(name, KINDS)}")
    kind = KINDS[wanted]
    summary = (kind.__doc__ or "").strip().splitlines()[0].replace("``", "")
    schema = json_schema(kind, wanted, summary)
    if wanted == "map.toml":
        _add_tracer(schema)
    if wanted == "prototypes.toml":
        _add_traits(schema)
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _add_tracer(schema: dict[str, Any]) -> None:
    """Describe the two tables that only the tracer reads, where the map's reader takes any."""
    tracer = json_schema(TraceFile, "", "")
    schema.setdefault("$defs", {}).update(tracer.get("$defs", {}))
    for table in ("projection", "trace"):
        schema["properties"][table] = tracer["properties"][table]


def _add_traits(schema: dict[str, Any]) -> None:
    """Name the traits; their fields are checked by ``lint``, since they may hold placeholders."""
    condition = {"type": ["string", "object"]}
    trait = {
        "type": "object",
        "properties": {
            "trait": {"enum": sorted(trait_classes())},
            "each": {"type": "array", "items": {"type": "string"}},
            "when": condition,
            "unless": condition,
        },
        "required": ["trait"],
    }
    for table in ("PrototypeTable", "PieceTable"):
        schema["$defs"][table]["properties"]["trait"]["items"] = trait


def write_schemas(folder: Path) -> list[Path]:
    """Write every schema into a folder; return the files."""
    written = []
    for name, text in schema_texts().items():
        path = folder / f"{name}.json"
        atomic_write(path, text)
        written.append(path)
    return written
