"""Opens a game's folder: every text file into the frozen types, or all problems at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from builder.gamebox.fields import FieldReader
from builder.gamebox.files import FieldTable, GameFile, PrototypesFile, ScenarioFile
from builder.gamebox.hands import hand_box_names, hand_boxes
from builder.gamebox.model import (
    Counter,
    FieldSpec,
    FieldValue,
    Game,
    MapSheet,
    Palette,
    PieceTemplate,
    Prototype,
    Scenario,
    Side,
)
from builder.gamebox.module_file import HandTable, ModuleFile
from builder.gamebox.numbers import read_gpids
from builder.gamebox.open_map import open_map
from builder.problems import (
    DataError,
    Problem,
    ProblemLog,
    Source,
    UnreadableError,
    did_you_mean,
)
from builder.reading import CsvRow, TomlFile, read_csv, read_toml, salvaged
from builder.toml_places import TomlPath

__all__ = ["open_game", "read_game"]

_CORE = ("id", "name", "side", "layout", "palette", "start", "steps", "count", "prototypes")
_ID_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._")


def open_game(folder: Path) -> Game:
    """Return the game in a folder.

    Raises :class:`DataError` with every mistake in its files, and :class:`UnreadableError` if
    there is no such folder.
    """
    game, problems = read_game(folder)
    if game is None or any(p.severity == "error" for p in problems):
        raise DataError(problems)
    return game


def read_game(folder: Path) -> tuple[Game | None, list[Problem]]:
    """Return the game as far as it can be read, and every problem, warnings too."""
    if not folder.is_dir():
        raise UnreadableError(f"no folder {str(folder)!r}")
    log = ProblemLog()
    game = _Opener(folder, log).open()
    return game, sorted(set(log.problems))


class _Opener:
    def __init__(self, folder: Path, log: ProblemLog) -> None:
        self.folder = folder
        self.log = log
        self.hand_boxes: tuple[str, ...] = ()

    def open(self) -> Game | None:
        toml = read_toml(self.folder / "game.toml", self.log)
        file = salvaged(toml, GameFile, self.log)[0] if toml else None
        prototypes, pieces = self.prototypes()
        module = self.module()
        self.hand_boxes = hand_box_names(module) if module else ()
        if file is None or toml is None:
            return None
        sides = tuple(
            Side(s.name, s.label or s.name, s.color, s.commands, s.player) for s in file.side
        )
        palettes = tuple(Palette(p.name, p.label or p.name) for p in file.palette)
        for what, names in (
            ("side", [s.name for s in sides]),
            ("palette", [p.name for p in palettes]),
        ):
            for number, name in enumerate(names):
                if name in names[:number]:
                    self.log.add(toml.source(what, number, "name"), f"{name!r} stands twice")
        counter_fields, place_fields = _specs(file.counter_fields), _specs(file.place_fields)
        sheet = open_map(self.folder, place_fields, frozenset(s.name for s in sides), self.log)
        counters = self.counters(sheet, sides, palettes, prototypes, counter_fields)
        scenarios = self.scenarios(sheet, counters)
        gpids = read_gpids(self.folder / "gpids.csv", self.log)
        if sheet is None or module is None:
            return None
        self.check_module(module, sheet, {s.name for s in sides}, {s.name for s in scenarios})
        return Game(
            name=self.folder.resolve().name,
            title=file.title,
            version=file.version,
            description=file.description,
            ruleset=file.ruleset,
            folder=self.folder,
            map=sheet,
            sides=sides,
            counter_fields=counter_fields,
            palettes=palettes,
            counters=counters,
            prototypes=prototypes,
            pieces=pieces,
            scenarios=scenarios,
            module=module,
            gpids=gpids,
        )

    def check_module(
        self, module: ModuleFile, sheet: MapSheet, sides: set[str], scenarios: set[str]
    ) -> None:
        """Note cups without a box, and sides, menus and scenarios that do not exist."""
        toml = read_toml(self.folder / "module.toml", ProblemLog())
        assert toml is not None, "it was read before"
        boxes = [b.name for b in sheet.boxes]
        questions: list[tuple[tuple[str | int, ...], str, Collection[str]]] = []
        for number, seat in enumerate(module.seat):
            questions.append((("seat", number, "side"), seat.side, sides))
        for number, deck in enumerate(module.deck):
            questions.append((("deck", number, "name"), deck.name, boxes))
            questions.append((("deck", number, "side"), deck.side, sides))
        taken = set(boxes)
        for number, hand in enumerate(module.hand):
            questions.append((("hand", number, "side"), hand.side, sides))
            self.check_hand(toml, number, hand, taken)
        for number, button in enumerate(module.button):
            menus = [m.name for m in module.menu]
            questions.append((("button", number, "menu"), button.menu, menus))
        for number, setup in enumerate(module.setup):
            questions.append((("setup", number, "scenario"), setup.scenario, scenarios))
        for path, word, known in questions:
            if word and word not in known:
                what = {"name": "box"}.get(str(path[-1]), str(path[-1]))
                hint = did_you_mean(word, known)
                self.log.add(toml.source(*path), f"{path[0]}: no {what} {word!r}{hint}")

    def check_hand(self, toml: TomlFile, number: int, hand: HandTable, taken: set[str]) -> None:
        """Note boxes of a private window that have no name, a known one, or lie outside of it."""
        for index, rows in enumerate(hand.boxes):
            source = toml.source("hand", number, "boxes", index, "names")
            if rows.labels and len(rows.labels) != len(rows.names):
                self.log.add(source, f"hand {hand.name!r}: as many labels as names are needed")
        for box in hand_boxes(hand):
            source = toml.source("hand", number, "boxes")
            if not box.name or " " in box.name:
                self.log.add(source, f"hand: a box needs a name without blanks, got {box.name!r}")
            elif box.name in taken:
                self.log.add(source, f"hand: there is a box {box.name!r} already")
            taken.add(box.name)
            right, bottom = box.x + box.width, box.y + box.height
            if box.x < 0 or box.y < 0 or right > hand.width or bottom > hand.height:
                self.log.add(source, f"hand {hand.name!r}: box {box.name!r} lies outside of it")

    def module(self) -> ModuleFile | None:
        toml = read_toml(self.folder / "module.toml", self.log)
        return salvaged(toml, ModuleFile, self.log)[0] if toml else None

    def prototypes(self) -> tuple[tuple[Prototype, ...], dict[str, PieceTemplate]]:
        toml = read_toml(self.folder / "prototypes.toml", self.log)
        file = salvaged(toml, PrototypesFile, self.log)[0] if toml else None
        if file is None or toml is None:
            return (), {}
        prototypes = tuple(
            Prototype(
                name=name,
                description=table.description,
                traits=table.trait,
                places=_trait_places(toml, "prototype", name),
                source=toml.source("prototype", name),
            )
            for name, table in file.prototype.items()
        )
        pieces = {
            name: PieceTemplate(
                layout=name,
                title=table.title,
                image=table.image,
                traits=table.trait,
                places=_trait_places(toml, "piece", name),
                source=toml.source("piece", name),
            )
            for name, table in file.piece.items()
        }
        return prototypes, pieces

    def counters(
        self,
        sheet: MapSheet | None,
        sides: tuple[Side, ...],
        palettes: tuple[Palette, ...],
        prototypes: tuple[Prototype, ...],
        specs: Mapping[str, FieldSpec],
    ) -> tuple[Counter, ...]:
        table = read_csv(self.folder / "counters.csv", self.log, ("id", "name", "side", "layout"))
        if table is None:
            return ()
        reader = FieldReader(specs, self.log, (p.name for p in sheet.places) if sheet else ())
        reader.check_columns(table, _CORE, "counter_fields")
        known = {
            "side": {s.name for s in sides},
            "palette": {p.name for p in palettes},
            "prototypes": {p.name for p in prototypes},
        }
        counters: list[Counter] = []
        seen: dict[str, int] = {}
        for row in table.rows:
            counter = self.counter(row, reader, sheet, known)
            if counter.id in seen:
                line = seen[counter.id]
                self.log.add(row["id"].source, f"id {counter.id!r} stands already in line {line}")
            folded = counter.id.casefold()
            seen.setdefault(counter.id, row.source.line)
            if any(c.id != counter.id and c.id.casefold() == folded for c in counters):
                self.log.add(
                    row["id"].source, f"id {counter.id!r} differs from another one in case only"
                )
            counters.append(counter)
        return tuple(counters)

    def counter(
        self,
        row: CsvRow,
        reader: FieldReader,
        sheet: MapSheet | None,
        known: Mapping[str, set[str]],
    ) -> Counter:
        identity = row["id"]
        if not identity or not set(identity) <= _ID_SIGNS:
            self.log.add(
                identity.source,
                f"id: expected letters, digits, - . _ and no blanks, got {str(identity)!r}",
            )
        if not row["name"]:
            self.log.add(row["name"].source, "name: expected a name, found an empty cell")
        for column in ("side", "palette"):
            cell = row[column]
            if cell and cell not in known[column]:
                hint = did_you_mean(cell, known[column])
                self.log.add(cell.source, f"unknown {column} {str(cell)!r}{hint}")
        prototypes = tuple(p.strip() for p in row["prototypes"].split("/") if p.strip())
        for name in prototypes:
            if name not in known["prototypes"]:
                hint = did_you_mean(name, known["prototypes"])
                self.log.add(row["prototypes"].source, f"unknown prototype {name!r}{hint}")
        self.check_start(row["start"], sheet)
        steps = self.number(row, "steps", 1, 8)
        fields = reader.read(row)
        if not row["steps"] or row["steps"] == str(steps):
            self.check_per_step(row, steps, fields, reader.specs)
        return Counter(
            id=str(identity),
            name=str(row["name"]),
            side=str(row["side"]),
            layout=str(row["layout"]),
            palette=str(row["palette"]),
            start=str(row["start"]),
            steps=steps,
            count=self.number(row, "count", 1, 999),
            prototypes=prototypes,
            fields=fields,
            source=row.source,
        )

    def check_per_step(
        self,
        row: CsvRow,
        steps: int,
        fields: Mapping[str, FieldValue],
        specs: Mapping[str, FieldSpec],
    ) -> None:
        """Note lists that should have one value a step and have another number."""
        for spec in specs.values():
            values = fields[spec.name]
            if spec.per_step and isinstance(values, tuple) and values and len(values) != steps:
                self.log.add(
                    row[spec.name].source,
                    f"{spec.name}: expected {steps} values, one a step, got {len(values)}",
                )

    def number(self, row: CsvRow, column: str, low: int, high: int) -> int:
        cell = row[column]
        if not cell:
            return 1
        if not cell.isascii() or not cell.isdigit() or not low <= int(cell) <= high:
            self.log.add(
                cell.source,
                f"{column}: expected a whole number from {low} to {high}, got {str(cell)!r}",
            )
            return 1
        return int(cell)

    def check_start(self, cell: str, sheet: MapSheet | None) -> None:
        """Note a start that is neither a hex of the map nor a box, of it or a private window."""
        if not cell or sheet is None or sheet.find(cell) is not None or sheet.box(cell):
            return
        source = getattr(cell, "source", None)
        if source is not None and cell not in self.hand_boxes:
            hint = did_you_mean(cell, [b.name for b in sheet.boxes] + [*self.hand_boxes])
            self.log.add(source, f"start: no hex or box {str(cell)!r}{hint}")

    def scenarios(
        self, sheet: MapSheet | None, counters: tuple[Counter, ...]
    ) -> tuple[Scenario, ...]:
        found: list[Scenario] = []
        ids = {c.id for c in counters}
        for path in sorted((self.folder / "scenarios").glob("*.toml")):
            toml = read_toml(path, self.log, f"scenarios/{path.name}")
            file = salvaged(toml, ScenarioFile, self.log)[0] if toml else None
            if file is None or toml is None:
                continue
            for counter_id, start in file.start.items():
                source = toml.source("start", counter_id)
                if counter_id not in ids:
                    hint = did_you_mean(counter_id, ids)
                    self.log.add(source, f"no counter {counter_id!r}{hint}")
                elif start and not any(
                    c.palette or c.start for c in counters if c.id == counter_id
                ):
                    self.log.add(source, f"{counter_id!r} needs a palette, or a start of its own")
                known = [b.name for b in sheet.boxes] + [*self.hand_boxes] if sheet else []
                if start and sheet and sheet.find(start) is None and start not in known:
                    hint = did_you_mean(start, known)
                    self.log.add(source, f"no hex or box {start!r}{hint}")
            found.append(
                Scenario(path.stem, file.title, file.description, file.start, toml.source())
            )
        return tuple(found)


def _specs(tables: Mapping[str, FieldTable]) -> dict[str, FieldSpec]:
    return {
        name: FieldSpec(name, t.type, t.choices, t.min, t.max, t.required, t.per_step, t.help)
        for name, t in tables.items()
    }


def _trait_places(toml: TomlFile, table: str, name: str) -> dict[TomlPath, Source]:
    """Return path below the list of traits (index, key, ...) to its place."""
    start: TomlPath = (table, name, "trait")
    return {path[3:]: toml.source(*path) for path in toml.places if path[:3] == start}
