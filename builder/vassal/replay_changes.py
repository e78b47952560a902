"""What a new state of a piece means: flipped, turned, masked, relabelled, marked.

Bookkeeping that nobody sees (the last place, trails, the place to send back to) gives no event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from builder.gamebox.events import (
    Changed,
    Concealed,
    Event,
    Flipped,
    Marked,
    Place,
    Thing,
    Turned,
)
from builder.vassal.pieces import Piece
from builder.vassal.replay_names import Lookup, level_name, level_of
from builder.vassal.traits import (
    AreaOfEffect,
    CanRotate,
    DynamicProperty,
    Invisible,
    Layer,
    MarkWhenMoved,
    Mask,
    MatCargo,
    MovementTrail,
    OldLayer,
    Opaque,
    PropertySheet,
    ReportAction,
    RestrictedAccess,
    SendToLocation,
    Spreadsheet,
    TextLabel,
    Trait,
)

__all__ = ["ChangeTeller"]

_SILENT: Final = (MovementTrail, SendToLocation, ReportAction)
_MAX_FIELDS: Final = 200


@dataclass(frozen=True, slots=True)
class ChangeTeller:
    """Turns two states of a piece into events of a step.

    ``owner`` puts a text that may be a player's id into words, ``hider`` the id or side in a mask.
    """

    step: int
    actor: str | None
    lookup: Lookup
    owner: Callable[[str], str]
    hider: Callable[[str], str]

    def events(self, before: Piece, after: Piece, thing: Thing, at: Place) -> Iterator[Event]:
        """Yield what differs between two states, from the outermost trait inwards."""
        for old, new in zip(before.traits, after.traits, strict=False):
            if isinstance(old, Layer | OldLayer) and isinstance(new, Layer | OldLayer):
                # Before the test of equality: a layer may follow a property of another trait.
                yield from self._flip(before, after, old, new, thing, at)
            elif old is not new and old != new:
                yield from self._trait(old, new, thing, at)

    def _flip(
        self,
        before: Piece,
        after: Piece,
        old: Layer | OldLayer,
        new: Layer | OldLayer,
        thing: Thing,
        at: Place,
    ) -> Iterator[Event]:
        levels = level_of(old, before, self.lookup), level_of(new, after, self.lookup)
        if levels[0] == levels[1]:
            return
        yield Flipped(
            step=self.step,
            actor=self.actor,
            piece=thing,
            at=at,
            layer=(new.name or new.description) if isinstance(new, Layer) else "",
            old=levels[0],
            new=levels[1],
            old_name=level_name(old, levels[0]).strip("+ "),
            new_name=level_name(new, levels[1]).strip("+ "),
        )

    def _trait(self, old: Trait, new: Trait, thing: Thing, at: Place) -> Iterator[Event]:
        if isinstance(old, CanRotate) and isinstance(new, CanRotate):
            yield Turned(
                step=self.step, actor=self.actor, piece=thing, at=at,
                old=_angle(old), new=_angle(new),
            )  # fmt: skip
        elif isinstance(old, MarkWhenMoved) and isinstance(new, MarkWhenMoved):
            yield Marked(step=self.step, actor=self.actor, piece=thing, is_on=new.moved)
        elif isinstance(old, Mask) and isinstance(new, Mask):
            yield from self._concealed("mask", old.masked_by, new.masked_by, thing, at)
        elif isinstance(old, Invisible) and isinstance(new, Invisible):
            yield from self._concealed("invisible", old.hidden_by, new.hidden_by, thing, at)
        elif isinstance(old, Opaque) or isinstance(new, Opaque):
            yield self._changed(thing, at, _kind(new), None, None)
        elif not isinstance(new, _SILENT):
            for name, was, now in _values(old, new):
                if was != now:
                    yield self._changed(thing, at, name, self.owner(was), self.owner(now))

    def _concealed(
        self, how: str, old: str | None, new: str | None, thing: Thing, at: Place
    ) -> Iterator[Event]:
        if (old or None) == (new or None):
            return
        yield Concealed(
            step=self.step,
            actor=self.actor,
            piece=thing,
            at=at,
            how=how,
            is_on=bool(new),
            by=self.hider(new or old or ""),
        )

    def _changed(
        self, thing: Thing, at: Place, name: str, old: str | None, new: str | None
    ) -> Changed:
        return Changed(
            step=self.step, actor=self.actor, piece=thing, at=at, name=name, old=old, new=new
        )


def _values(old: Trait, new: Trait) -> Iterator[tuple[str, str, str]]:
    """Yield name, old and new value of what a trait holds."""
    if isinstance(old, DynamicProperty) and isinstance(new, DynamicProperty):
        yield new.name, old.value, new.value
    elif isinstance(old, TextLabel) and isinstance(new, TextLabel):
        yield new.description or "label", old.label, new.label
    elif isinstance(old, PropertySheet) and isinstance(new, PropertySheet):
        names = [text[1:] for text in new.definition]
        yield from _fields(names, old.values, new.values)
    elif isinstance(old, Spreadsheet) and isinstance(new, Spreadsheet):
        names = [f"cell {number}" for number in range(1, len(new.cells) + 1)]
        yield from _fields(names, old.cells, new.cells)
    elif isinstance(old, RestrictedAccess) and isinstance(new, RestrictedAccess):
        yield "owner", old.owner, new.owner
    elif isinstance(old, AreaOfEffect) and isinstance(new, AreaOfEffect):
        yield new.name or "area of effect", _on(old.active), _on(new.active)
    elif not isinstance(new, MatCargo) and type(old) is type(new):
        for spec in new.state_fields():
            was, now = getattr(old, spec.name), getattr(new, spec.name)
            if isinstance(was, str) and isinstance(now, str):
                yield f"{type(new).__name__} {spec.name}", was, now


def _fields(
    names: list[str], old: tuple[str, ...], new: tuple[str, ...]
) -> Iterator[tuple[str, str, str]]:
    for index, name in enumerate(names[:_MAX_FIELDS]):
        was, now = (values[index] if index < len(values) else "" for values in (old, new))
        yield name, was, now


def _on(is_active: bool) -> str:
    return "on" if is_active else "off"


def _angle(trait: CanRotate) -> float:
    """Return the angle in degrees, clockwise on the screen, from 0 to under 360."""
    if trait.facings == 1:
        angle = -trait.angle % 360
    else:
        angle = trait.facing * 360 / max(1, trait.facings) % 360
    return angle if angle == angle else 0.0


def _kind(trait: Trait) -> str:
    """Return the id of a trait that no class knows: its state may hold anything."""
    head = trait.type_string().partition(";")[0]
    return head[:40] if head.isprintable() else "a trait of the module's own"
