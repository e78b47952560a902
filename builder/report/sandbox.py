"""Templates may be a user's own: they run in a sandbox, and every text in them is escaped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from builder.problems import UnreadableError

if TYPE_CHECKING:
    from jinja2 import BaseLoader
    from jinja2.sandbox import SandboxedEnvironment

__all__ = ["TEMPLATE_ERRORS", "filled_in", "sandbox"]

TEMPLATE_ERRORS: Final = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
)
"""What a template can raise beside jinja2's own TemplateError: it can call anything it is given."""


def sandbox(loader: BaseLoader | None = None) -> SandboxedEnvironment:
    """Return an environment for templates; what they ask for must be there."""
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def filled_in(
    template: str,
    file: str,
    values: Mapping[str, Any],
    filters: Mapping[str, Callable[..., Any]] | None = None,
) -> str:
    """Return a template's text filled in.

    Raises :class:`~builder.problems.UnreadableError`, naming ``file``, if it cannot be used.
    """
    from jinja2 import TemplateError

    environment = sandbox()
    environment.filters.update(filters or {})
    try:
        return environment.from_string(template).render(values)
    except (TemplateError, *TEMPLATE_ERRORS) as error:
        raise UnreadableError(f"{file}: {error}") from error
