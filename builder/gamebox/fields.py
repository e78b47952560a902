"""Typed further columns of CSV files, as ``game.toml`` declares them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from builder.gamebox.model import FieldSpec, FieldValue
from builder.problems import ProblemLog, did_you_mean
from builder.reading import Cell, CsvRow, CsvTable

__all__ = ["FieldReader"]

_TRUE, _FALSE = {"yes", "true", "y", "1"}, {"no", "false", "n", "0", ""}
_EMPTY: Mapping[str, FieldValue] = {
    "text": "",
    "integer": None,
    "boolean": False,
    "integers": (),
    "texts": (),
    "choice": "",
    "choices": (),
    "place": "",
}


class FieldReader:
    """Turns cells into values under a set of column declarations.

    ``places`` are the names that a column of type ``place`` may hold; lists within a cell are
    separated by blanks or ``/``.
    """

    def __init__(
        self, specs: Mapping[str, FieldSpec], log: ProblemLog, places: Iterable[str] = ()
    ) -> None:
        """Keep the declarations and the log that mistakes go to."""
        self.specs = specs
        self.log = log
        self.places = frozenset(places)

    def check_columns(self, table: CsvTable, core: Iterable[str], declared_in: str) -> None:
        """Note columns that nobody declared, and declared ones that are required but missing."""
        known = {*core, *self.specs}
        for column in table.columns:
            if column and column not in known:
                hint = did_you_mean(column, known)
                self.log.add(
                    column.source,
                    f"unknown column {str(column)!r}: declare it in game.toml under "
                    f"[{declared_in}]{hint}",
                )
        present = set(map(str, table.columns))
        for spec in self.specs.values():
            if spec.required and spec.name not in present:
                where = table.columns[0].source
                self.log.add(where, f"required column {spec.name!r} is missing")

    def read(self, row: CsvRow) -> dict[str, FieldValue]:
        """Return every declared column of a row, typed; empty cells give the type's empty value."""
        return {name: self._value(row[name], spec) for name, spec in self.specs.items()}

    def _value(self, cell: Cell, spec: FieldSpec) -> FieldValue:
        if not cell:
            if spec.required:
                self.log.add(cell.source, f"{spec.name}: expected a value, found an empty cell")
            return _EMPTY[spec.kind]
        match spec.kind:
            case "text":
                return str(cell)
            case "boolean":
                return self._boolean(cell, spec)
            case "integer":
                return self._integer(cell, spec, str(cell))
            case "integers":
                numbers = [self._integer(cell, spec, part) for part in _parts(cell)]
                return tuple(n for n in numbers if n is not None)
            case "texts":
                return tuple(_parts(cell))
            case "choice":
                return str(cell) if self._choice(cell, spec, str(cell)) else ""
            case "choices":
                return tuple(p for p in _parts(cell) if self._choice(cell, spec, p))
            case "place":
                if cell not in self.places:
                    hint = did_you_mean(cell, self.places)
                    self.log.add(cell.source, f"{spec.name}: no place {str(cell)!r}{hint}")
                return str(cell)

    def _boolean(self, cell: Cell, spec: FieldSpec) -> bool:
        word = cell.casefold()
        if word not in _TRUE | _FALSE:
            self.log.add(cell.source, f"{spec.name}: expected yes or no, got {str(cell)!r}")
        return word in _TRUE

    def _integer(self, cell: Cell, spec: FieldSpec, text: str) -> int | None:
        try:
            number = int(text)
        except ValueError:
            self.log.add(cell.source, f"{spec.name}: expected a whole number, got {text!r}")
            return None
        if spec.minimum is not None and number < spec.minimum:
            self.log.add(
                cell.source, f"{spec.name}: expected at least {spec.minimum}, got {number}"
            )
        if spec.maximum is not None and number > spec.maximum:
            self.log.add(cell.source, f"{spec.name}: expected at most {spec.maximum}, got {number}")
        return number

    def _choice(self, cell: Cell, spec: FieldSpec, word: str) -> bool:
        if word in spec.choices:
            return True
        hint = did_you_mean(word, spec.choices)
        if not hint:
            hint = "; known: " + ", ".join(spec.choices)
        self.log.add(cell.source, f"{spec.name}: {word!r} is not known{hint}")
        return False


def _parts(cell: Cell) -> list[str]:
    return [p for p in cell.replace("/", " ").split() if p]
