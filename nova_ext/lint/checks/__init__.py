"""Check one thing each of a configuration.

A check is a module with ``KINDS``, the kinds of finding it makes, and
``run(subject)``, which yields findings. Add it to ``CHECKS`` here to have it
run, in that order. ``lint`` and ``cmd/lint.py`` import it.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from nova_ext.lint.checks import (
    available_filters,
    boot_calls,
    drivers,
    effect,
    enabled_filters,
    files,
    hints,
    import_paths,
    modes,
    multipliers,
    notation,
    nova_names,
    old_settings,
    options,
    plugin_import,
    recording,
    returns,
    signatures,
    spec_use,
    values,
    weight_classes,
)
from nova_ext.lint.subject.finding import Finding, Kind
from nova_ext.lint.subject.subject import Subject


class Check(Protocol):
    """Describe a module of this package."""

    @property
    def KINDS(self) -> Sequence[Kind]:  # noqa: N802  a module's constant
        """Return the kinds of finding that it reports."""

    def run(self, subject: Subject) -> Iterable[Finding]:
        """Look for them."""


CHECKS: tuple[Check, ...] = (
    files,
    notation,
    enabled_filters,
    effect,
    available_filters,
    recording,
    weight_classes,
    multipliers,
    old_settings,
    options,
    values,
    plugin_import,
    import_paths,
    signatures,
    returns,
    spec_use,
    nova_names,
    boot_calls,
    drivers,
    modes,
    hints,
)

KINDS: dict[str, Kind] = {
    kind.id: kind for check in CHECKS for kind in check.KINDS
}
