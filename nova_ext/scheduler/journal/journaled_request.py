"""Observe one request for the journal."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from oslo_utils import timeutils

from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import PLACED
from nova_ext.journal.writer import PackedCloud, PackedDecision
from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.base.host_states import host_key
from nova_ext.scheduler.journal import (
    host_values,
    inputs,
    journal,
    kept_hosts,
    plain_values,
)
from nova_ext.scheduler.journal.placement_answers import PlacementAnswers
from nova_ext.scheduler.journal.watched_hosts import WatchedHosts
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.trace import Trace

#: Hosts that are kept of each ranking.
RANKED = 10
#: Of who asks.
_CONTEXT = ('user_id', 'project_id', 'roles', 'is_admin')
_SHARED = 'hosts that other requests of the worker changed meanwhile'

#: Return what hosts had, packed. It is called in the writer's thread.
Pack = Callable[[Any], host_values.PackedHosts]
#: Return the same of a mirror, and what is missing of the ranked hosts.
PackCloud = Callable[[Any], tuple[PackedCloud, Sequence[str]]]


class JournaledRequest:
    """Keep what one request is decided from, and hand it on.

    Where it fails, the request goes on, and the journal lacks it.

    :param caller: the request's context.
    :param wanted: ``return_objects`` and ``return_alternates``.
    """

    def __init__(
        self, mode: Mode, caller: Any, spec: Any, wanted: dict[str, Any]
    ) -> None:
        self._mode = mode
        self._began = time.time()
        self._spec = spec
        self._wanted = wanted
        self._caller = {
            name: getattr(caller, name, None) for name in _CONTEXT
        } if caller is not None else {}
        self._plugins: Sequence[Any] = ()
        self._lacking: list[str] = []
        self._primitive: dict[str, Any] | None = None
        self._hosts = 0
        self._pack: Pack | None = None
        self._pack_cloud: PackCloud | None = None
        self._count_room: Callable[[], Sequence[int]] | None = None
        #: Hosts that other requests of this worker took meanwhile.
        self._taken: list[str] = []
        self._attempts: list[tuple[AttemptTrace, list[Any]]] = []
        self._answers = PlacementAnswers()
        self._watched: WatchedHosts | None = None
        self._destinations: list[list[tuple[str, str]]] = []

    @best_effort
    def set_plugins(
        self, filters: Sequence[Any], weighers: Sequence[Any],
        driver: Any = None,
    ) -> None:
        """Set the classes that decide; None for a driver: there is none."""
        self._plugins = [*filters, *weighers, *([driver] if driver else [])]
        journal.get().set_plugins(
            self._mode, filters, weighers, driver.__name__ if driver else ''
        )

    @best_effort
    def add_candidates(self, resources: Any, answer: Any) -> None:
        """Keep placement's answer to a query; Nova may ask twice.

        :param answer: what Nova's client returned.
        """
        self._answers.add(resources.to_querystring(), answer)

    @best_effort
    def begin_attempt(
        self, attempt: AttemptTrace, hosts: Sequence[Any]
    ) -> None:
        """Keep the hosts that Nova begins with for the first server.

        :param hosts: host states, which Nova and filters will change.
        """
        if self._add_attempt(attempt):
            kept = kept_hosts.keep(hosts)
            if self._mode is Mode.PLUGIN:
                self._answers.set_left(hosts)
            else:
                self._watched = WatchedHosts(hosts, kept.values)
            self._hosts = len(kept.values)
            self._pack = lambda until: journal.get().packer.pack(
                kept, journal.get_down_after_s(), until
            )
        elif self._watched is not None:
            self._watched.begin_ranking()

    @best_effort
    def set_cloud(self, pack: PackCloud) -> None:
        """Take what packs all that the mirror knows as the request begins.

        Requests share it, and nobody changes it.
        """
        self._pack_cloud = pack

    @best_effort
    def begin_mirrored(
        self, attempt: AttemptTrace, pack: PackCloud,
        count_room: Callable[[], Sequence[int]] | None,
    ) -> None:
        """Take what packs the hosts that the mirror began with, and others.

        :param count_room: returns for how many servers each has room, in the
            writer's thread; None: it has room for the only one.
        """
        if self._add_attempt(attempt):
            self._hosts, self._pack, self._pack_cloud = 0, None, pack
            self._count_room = count_room

    def add_taken(self, host: str) -> None:
        """Add a host that other requests of this worker took meanwhile."""
        self._taken.append(host)

    def _add_attempt(self, attempt: AttemptTrace) -> bool:
        """Add an attempt; say whether it is for the first server.

        A request that begins again begins with the first server.
        """
        is_first = attempt.attempt.index == 0
        if is_first:
            self._attempts.clear()
            self._taken.clear()
            self._count_room = self._watched = None
            self._primitive = plain_values.to_primitive(self._spec)
        self._attempts.append((attempt, []))
        return is_first

    @best_effort
    def end_attempt(self, ranked: Sequence[Any]) -> None:
        """Keep the first hosts of a ranking."""
        if self._watched is not None:
            self._watched.end_ranking()
        if self._attempts:
            self._attempts[-1][1].extend(map(host_key, ranked[:RANKED]))

    def lack(self, *texts: str) -> None:
        """Add what is known to be missing."""
        self._lacking += texts

    @best_effort
    def set_taken(self, states: Iterable[Any]) -> None:
        """Keep the host states that were taken, one for each server."""
        self._destinations = [[host_key(state)] for state in states]

    @best_effort
    def set_destinations(self, destinations: Any) -> None:
        """Keep Nova's answer: the chosen hosts, and alternates."""
        self._destinations = [
            [(each['host'], each['nodename'])] if isinstance(each, dict)
            else [
                (selection.service_host, selection.nodename)
                for selection in each
            ] for each in destinations
        ]

    @best_effort
    def end(self, closed: Trace) -> None:
        """Hand on a request that has ended.

        :param closed: its trace, which the record completes later.
        """
        decision = closed.decision
        if self._primitive is None:
            self._primitive = plain_values.to_primitive(self._spec)
        watched, self._watched = self._watched, None
        if watched is not None and watched.list_foreign([
            *(claim.host for claim in decision.claims if claim.claimed),
            *(host for chosen in self._destinations for host, _ in chosen[:1]),
        ]):
            self.lack(_SHARED)
        until = timeutils.utcnow()
        check = decision.mirror
        body = {
            'request_id': decision.request_id, 'time': self._began,
            'operation': decision.operation, 'context': self._caller,
            'servers': list(decision.servers), 'options': self._wanted,
            'attempts': [
                [
                    attempt.attempt.index, attempt.attempt.server,
                    attempt.seed, attempt.attempt.ranked_count, ranked,
                ] for attempt, ranked in self._attempts
            ],
            'claims': [
                *(['', host, False] for host in self._taken), *(
                    [claim.server, claim.host, claim.claimed]
                    for claim in decision.claims
                ),
            ],
            'destinations': self._destinations,
            'outcome': decision.outcome,
            'error': '' if decision.outcome == PLACED else (
                decision.error_text or decision.message
            ),
            'fallback': check.fallback if check else '',
            'mirrored': bool(
                check and check.decides and not check.fallback
            ),
        }
        added = closed.attempt is not None and closed.attempt.added
        journal.get().put(
            lambda: self._make(body, bool(added), until),
            self._hosts,
        )

    def _make(
        self, body: dict[str, Any], added: bool, until: Any
    ) -> PackedDecision:
        """Make the decision, in the writer's thread."""
        hosts = host_values.PackedHosts((), (), {}, ())
        cloud = None
        if self._pack_cloud is not None:
            cloud, missing_of_ranked = self._pack_cloud(until)
            hosts = hosts._replace(
                aggregates=cloud.hosts.aggregates, missing=missing_of_ranked
            )
        if self._pack is not None:
            hosts = self._pack(until)
            if cloud is not None:  # Nova ranked hosts after the mirror did
                cloud = replace(cloud, hosts=replace(cloud.hosts, ranked=None))
        if self._count_room is not None:
            body['room'] = self._count_room()
        assert self._primitive is not None  # noqa: S101  end() set it
        spec, masked = plain_values.mask_spec(self._primitive)
        hints = spec['nova_object.data'].get('scheduler_hints')
        missing = [
            *inputs.list_unknown(
                self._plugins, spec, hosts.aggregates.values()
            ),
            *inputs.list_masked(masked, hints or {}, self._plugins),
            *hosts.missing,
        ]
        missing += self._lacking
        if added:
            missing.append('hosts that filters added')
        if inputs.draws() and any(
            seed is None and passed > 1
            for _, _, seed, passed, _ in body['attempts']
        ):
            missing.append('the seed of Nova\'s draw')
        if self._mode is Mode.PLUGIN and self._answers:
            claimed = {
                server for server, _, granted in body['claims'] if granted
            }
            if any(
                passed and server not in claimed
                for _, server, _, passed, _ in body['attempts']
            ):
                missing.append('claims that placement refused')
        return PackedDecision(
            {
                'id': journal.get().count(), **body, 'spec': spec,
                'missing': list(dict.fromkeys(missing)),
            },
            hosts.keys, hosts.hosts, hosts.aggregates,
            self._answers.merge(), cloud,
        )


def begin(
    mode: Mode, caller: Any, spec: Any, wanted: dict[str, Any]
) -> JournaledRequest | None:
    """Begin to observe a request; None where that fails."""
    return best_effort(JournaledRequest)(mode, caller, spec, wanted)
