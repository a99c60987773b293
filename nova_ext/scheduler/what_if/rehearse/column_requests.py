"""Make the requests that a rehearsal decides by columns.

Most servers of a cloud were requested alike. What is the same for all of them
is made once: Nova's own code makes it for the first one.
"""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from nova import exception
from nova.scheduler import request_filter, utils

from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.core.rpc.move_request import Move, MoveRequest
from nova_ext.scheduler.base import options
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.mirror.deciding import demand
from nova_ext.scheduler.mirror.deciding.candidates import DecisionInputs
from nova_ext.scheduler.mirror.plugins import nova_plugins
from nova_ext.scheduler.what_if.moves.move_spec import MoveSpec
from nova_ext.scheduler.what_if.rehearse.moved_servers import (
    MovedServer,
    StoredRequest,
)

#: Requests that are kept.
_MAX_KEPT = 20_000


@dataclass
class ColumnRequest:
    """Hold a request after Nova's prefilters.

    :param spec: it is used for one server after the other.
    :param resources: Nova's ResourceRequest.
    :param group_hosts: of its server group, before anything moved.
    """

    spec: Any
    resources: Any
    group_hosts: Sequence[str]

    def set_server(self, uuid: str, ignored: Sequence[str]) -> None:
        """Have the request be about one server.

        :param ignored: hosts that it may not use.
        """
        self.spec.instance_uuid = uuid
        self.spec.ignore_hosts = list(ignored)
        if self.spec.instance_group is not None:
            self.spec.instance_group.hosts = list(self.group_hosts)


class ColumnRequests:
    """Make requests, and keep those of evacuations.

    :param live: decides real boots.
    :param inputs: what the mirror decides from now.
    """

    def __init__(self, live: NovaDecider, inputs: DecisionInputs) -> None:
        self._live = live
        self._inputs = inputs
        self._shares = all(map(nova_plugins.is_known, (
            *inputs.filters, *inputs.weighers
        ))) and not (
            options.CONF.scheduler.query_placement_for_routed_network_aggregates
        )
        self._kept: dict[Hashable, ColumnRequest | FallbackError] = {}
        self._texts: dict[str, str] = {}

    def find(
        self, context: Any, server: MovedServer, stored: StoredRequest | None
    ) -> ColumnRequest:
        """Return the request of a server's evacuation.

        :param stored: None: Nova has none.
        :raises FallbackError: Nova is to decide.
        :raises WrongArgumentsError: for a server that Nova can't describe.
        """
        key = self._make_key(server, stored)
        kept = self._kept.get(key)
        if kept is None:
            if len(self._kept) >= _MAX_KEPT:
                self._kept.clear()
            move = MoveSpec(context, MoveRequest(server.uuid, Move.EVACUATE))
            try:
                kept = self.make(context, move.make()[0])
            except FallbackError as error:
                kept = error
            self._kept[key] = kept
        if isinstance(kept, FallbackError):
            raise kept
        kept.set_server(server.uuid, [server.host])
        return kept

    def make(self, context: Any, spec: Any) -> ColumnRequest:
        """Return what Nova would ask placement for a request, and whom.

        As in SchedulerManager.select_destinations.

        :param spec: a request spec of a move; Nova's prefilters change it.
        :raises FallbackError: Nova is to decide.
        """
        demand.check(spec)
        group = spec.instance_group
        hosts = group.hosts if group is not None and 'hosts' in group else ()
        snapshot = self._inputs.snapshot
        assert snapshot is not None  # noqa: S101  the inputs were checked
        demand.require_owner(spec, snapshot.oldest)
        try:
            request_filter.process_reqspec(context, spec)
        except exception.NovaException as error:
            raise FallbackError(Fallback.PREFILTER) from error
        demand.check(spec)
        return ColumnRequest(spec, utils.resources_from_request_spec(
            context, spec, self._live.host_manager,
            enable_pinning_translate=True,
        ), list(hosts or ()))

    def _make_key(
        self, server: MovedServer, stored: StoredRequest | None
    ) -> Hashable:
        """Return what is equal for servers that differ in nothing that counts.

        The volumes of one whose request is old are looked up, and so are its
        ports where somebody may read them. One may name itself in a hint. What
        nova-api refuses depends on devices and on the flavor that it has.
        """
        if stored is None or not self._shares or server.has_devices:
            return server.uuid
        own = f'"instance_uuid": "{server.uuid}"'
        if '"is_bfv"' not in stored.text or (
            stored.text.count(own) != stored.text.count(server.uuid)
        ):
            return server.uuid
        text = stored.text.replace(server.uuid, '')
        sorted_text = self._texts.get(text)
        if sorted_text is None:
            if len(self._texts) >= _MAX_KEPT:
                self._texts.clear()
            sorted_text = self._texts[text] = json.dumps(
                _leave_out_changes(json.loads(text)), sort_keys=True
            )
        return (
            sorted_text, stored.cell_id, stored.groups, server.project_id,
            server.user_id, server.flavor,
        )


def _leave_out_changes(value: Any) -> Any:
    """Return an object's fields, without what each process orders anew."""
    if isinstance(value, dict):
        return {
            name: _leave_out_changes(each) for name, each in value.items()
            if name != 'nova_object.changes'
        }
    if isinstance(value, list):
        return list(map(_leave_out_changes, value))
    return value
