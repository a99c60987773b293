"""Deciding on servers that are not there, so that nobody hears of them."""

from collections.abc import Iterator
from typing import Any

from nova_ext.scheduler.decide.deciding import DecidingManager


class Rehearsal(DecidingManager):
    """Decides as the scheduler's own manager does, and tells nobody.

    It is that manager's code, and Nova's below it. Nova's own set-up is not
    run, so that there is no notifier: what would notify, fails.
    """

    def select_destinations(
        self, *about: Any, spec_obj: Any, **how: Any
    ) -> Any:
        """As for a boot, of which nova-api drops hints that are Nova's own.

        With one of them Nova would take the request for a rebuild: it would
        ask neither placement nor most filters, and claim nothing.
        """
        spec_obj.scheduler_hints = {
            name: value for name, value in spec_obj.scheduler_hints.items()
            if not name.startswith('_nova')  # as in nova.compute.api
        }
        return super().select_destinations(*about, spec_obj=spec_obj, **how)

    def _select_destinations(
        self, context: Any, spec_obj: Any, instance_uuids: Any,
        *candidates: Any, **kwargs: Any,
    ) -> Any:
        """As Nova does, without the notifications around it."""
        return self._schedule(
            context, spec_obj, instance_uuids, *candidates, **kwargs
        )

    def _get_all_host_states(self, *about: Any) -> Iterator[Any]:
        """Nova's host states, without what they share with others."""
        for host in super()._get_all_host_states(*about):
            host.instances = dict(host.instances)
            yield host

    def _tell_driver(self, *about: Any) -> None:
        """Nothing is there that a driver should hear of."""
