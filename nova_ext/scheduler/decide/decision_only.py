"""Decide without telling anybody: the servers do not exist."""

from collections.abc import Iterator
from typing import Any

from nova_ext.scheduler.decide.deciding import DecidingManager


class DecisionOnlyManager(DecidingManager):
    """Decide as the scheduler's own manager does, and notify nobody.

    Nova's own set-up is not run, so that there is no notifier: what would
    notify, fails.
    """

    def select_destinations(
        self, context: Any, request_spec: Any = None,
        filter_properties: Any = None, spec_obj: Any = None,
        instance_uuids: Any = None, return_objects: bool = False,
        return_alternates: bool = False,
    ) -> Any:
        """Drop the hints that nova-api drops, and choose hosts as for a boot.

        With a hint of Nova's own, Nova would take the request for a rebuild.
        It would ask neither placement nor most filters, and claim nothing.
        """
        spec_obj.scheduler_hints = {
            name: value for name, value in spec_obj.scheduler_hints.items()
            if not name.startswith('_nova')  # as in nova.compute.api
        }
        return super().select_destinations(
            context, request_spec, filter_properties, spec_obj,
            instance_uuids, return_objects, return_alternates,
        )

    def _select_destinations(
        self, context: Any, spec_obj: Any, instance_uuids: Any,
        *candidates: Any, **kwargs: Any,
    ) -> Any:
        """Choose as Nova does, without the notifications around it."""
        return self._schedule(
            context, spec_obj, instance_uuids, *candidates, **kwargs
        )

    def _get_all_host_states(self, *args: Any) -> Iterator[Any]:
        """Yield Nova's host states, without what they share with others.

        Nodes of one host go on sharing its servers, where Nova's do.
        """
        # By identity, which is nobody else's while the dictionary is kept.
        copies: dict[int, tuple[Any, dict[str, Any]]] = {}
        for host in super()._get_all_host_states(*args):
            shared = host.instances
            _, host.instances = copies.setdefault(
                id(shared), (shared, dict(shared))
            )
            yield host

    def _notify_driver(self, *args: Any) -> None:
        """Do nothing: the driver is not to hear of these servers."""
