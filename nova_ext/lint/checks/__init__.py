"""Check one thing each of a configuration.

``config_files`` checks how files are written, ``settings`` what they set, and
``plugins`` what they name. A check is a module there with ``KINDS``, the kinds
of finding it makes, and ``run(subject)``, which yields findings. Add it to
``CHECKS`` here to have it run, in that order. ``lint`` and ``cmd/lint.py``
import it.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from nova_ext.lint.checks.config_files import (
    files,
    notation,
    old_settings,
    options,
    unreached,
    values,
)
from nova_ext.lint.checks.plugins import (
    attributes,
    boot_calls,
    host_writes,
    import_paths,
    nova_names,
    plugin_import,
    returns,
    signatures,
    spec_use,
    undefined,
)
from nova_ext.lint.checks.settings import (
    available_filters,
    drivers,
    effect,
    enabled_filters,
    hints,
    modes,
    multipliers,
    pci,
    recording,
    weight_classes,
)
from nova_ext.lint.subject.finding import Kind, LintFinding
from nova_ext.lint.subject.subject import Subject


class Check(Protocol):
    """Describe a module of this package."""

    @property
    def KINDS(self) -> Sequence[Kind]:  # noqa: N802  a module's constant
        """Return the kinds of finding that it reports."""

    def run(self, subject: Subject) -> Iterable[LintFinding]:
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
    unreached,
    pci,
    plugin_import,
    import_paths,
    signatures,
    returns,
    spec_use,
    attributes,
    host_writes,
    nova_names,
    undefined,
    boot_calls,
    drivers,
    modes,
    hints,
)

KINDS: dict[str, Kind] = {
    kind.id: kind for check in CHECKS for kind in check.KINDS
}
