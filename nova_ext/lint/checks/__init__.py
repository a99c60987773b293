"""Check one thing each of a configuration.

A check is a module with ``KINDS``, the kinds of finding it makes, and
``run(subject)``, which yields findings. Add it to ``CHECKS`` here to have it
run; its findings' ids follow that order. ``lint`` alone imports it.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from nova_ext.lint.checks import (
    available,
    boot_calls,
    container,
    drivers,
    effect,
    files,
    filter_names,
    filter_order,
    hints,
    ip_rules,
    loaded,
    modes,
    multipliers,
    old_settings,
    options,
    plugin_import,
    repeated,
    signatures,
    specs,
    values,
    weighers,
)
from nova_ext.lint.subject.finding import Finding, Kind
from nova_ext.lint.subject.subject import Subject


class Check(Protocol):
    """A module of this package."""

    @property
    def KINDS(self) -> Sequence[Kind]:  # noqa: N802  a module's constant
        """The kinds of finding that it makes."""

    def run(self, subject: Subject) -> Iterable[Finding]:
        """Look for it."""


CHECKS: tuple[Check, ...] = (
    files,
    repeated,
    filter_names,
    filter_order,
    effect,
    available,
    weighers,
    multipliers,
    old_settings,
    options,
    values,
    plugin_import,
    signatures,
    specs,
    boot_calls,
    loaded,
    drivers,
    ip_rules,
    modes,
    hints,
    container,
)

KINDS: dict[str, Kind] = {
    kind.id: kind for check in CHECKS for kind in check.KINDS
}
