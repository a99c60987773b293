"""Describe who answers: a running scheduler, or a configuration."""

from collections.abc import Mapping
from typing import Any, Protocol

from nova_ext.core.base.errors import NovaExtError


class UnknownError(NovaExtError):
    """Report that it is not known whether a rule holds, and why."""


class Scheduler(Protocol):
    """Answer what a scheduler would decide, and changes nothing.

    Each method raises NovaExtError where there is no answer.
    """

    def simulate(
        self, request: Mapping[str, Any], changes: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        """Return the explanation of a boot.

        :param request: fields of a :class:`.boot_request.BootRequest`.
        :param changes: fields of :class:`.boot_request.Changes`.
        :returns: as :func:`nova_ext.core.explanation.serialized.serialize`.
        """

    def capacity(self, request: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return how many more servers fit.

        :returns: the fields of a :class:`.core.rpc.capacity.Capacity`;
            ``decision`` is its explanation, or None.
        """

    def list_filters(self) -> list[str]:
        """Return the names of the enabled filters, in their order."""

    def list_multipliers(self) -> Mapping[str, float | None]:
        """Return the multipliers of weighers in force; None: not known."""
