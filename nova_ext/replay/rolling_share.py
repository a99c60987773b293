"""Decide whole journals again in one process, each decision after the last.

The cloud is what the decisions before left. So there are no shares.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from nova_ext.core.decision.decision import PLACED
from nova_ext.core.request.operation import Operation
from nova_ext.journal.model import (
    IMPORTED,
    JournalDecision,
    JournalProcess,
)
from nova_ext.journal.reader import JournalReader
from nova_ext.journal.replayed import CloudState, Replayed
from nova_ext.replay.share import Share, make_replayer, send

#: Decisions whose results are sent together.
_AT_ONCE = 100
#: Prefix of extra specs that name amounts of a resource class.
_RESOURCES = 'resources:'
#: A server that no cloud has.
_PROBE = '00000000-0000-4000-8000-000000000000'


def run(share: Share, results: Any) -> None:
    """Decide all decisions, and send what comes out."""
    send(_decide(share), results)


def _decide(share: Share) -> Iterator[list[Replayed]]:
    batch: list[Replayed] = []
    replayer: Any = None
    flavors = _Flavors()
    for name, process, decision in _merge(share.paths):
        if replayer is None:
            replayer, gaps = make_replayer(
                share.setup, process, rolling=True
            )
        flavors.add(decision)
        key = name, decision.id
        if process.mode == IMPORTED:
            decision = replace(
                decision, destinations=share.chosen.get(key, ())
            )
        replayed = replayer.decide(
            decision, share.watched.get(key),
            compared=process.mode != IMPORTED or key in share.chosen,
        )
        replayed.source = name
        replayed.gaps = (*gaps, *replayed.gaps)
        if len(batch) >= _AT_ONCE:
            yield batch
            batch = []
        batch.append(replayed)
    if batch:
        batch[-1].cloud = flavors.describe(replayer)
    yield batch


def _merge(
    paths: Iterable[Path]
) -> Iterator[tuple[str, JournalProcess, JournalDecision]]:
    """Yield the decisions of several workers in the order of time.

    :returns: name of the file, who wrote it, and the decision.
    """
    return heapq.merge(
        *map(_read, paths), key=lambda each: each[2].time
    )


def _read(
    path: Path
) -> Iterator[tuple[str, JournalProcess, JournalDecision]]:
    reader = JournalReader(path)
    for decision in reader:
        yield path.name, reader.process, decision


class _Flavors:
    """Know the flavors that a journal asks for."""

    def __init__(self) -> None:
        self._last: JournalDecision | None = None
        self._decisions: dict[str, JournalDecision] = {}
        self._demands: dict[str, dict[str, int]] = {}

    def add(self, decision: JournalDecision) -> None:
        """Add the flavor of a request."""
        if decision.known or self._last is None:
            self._last = decision
        flavor = decision.spec['nova_object.data']['flavor'][
            'nova_object.data'
        ]
        if flavor['name'] not in self._decisions:
            self._decisions[flavor['name']] = decision
            self._demands[flavor['name']] = _read_demand(flavor)

    def describe(self, replayer: Any) -> CloudState:
        """Return what is left of a cloud.

        :param replayer: decided all decisions.
        """
        cloud = replayer.stage.cloud
        least = {
            name: min(
                demand[name] for demand in self._demands.values()
                if demand.get(name)
            ) for demand in self._demands.values() for name in demand
            if demand[name]
        }
        hosts = list(cloud.list_free())
        state = CloudState(
            len(hosts), sum(is_empty for _, is_empty in hosts),
            len(cloud.servers), {
                name: sum(free.get(name, 0) for free, _ in hosts)
                for name in least
            }, {
                name: sum(
                    free.get(name, 0) for free, _ in hosts
                    if _is_stranded(free, name, least)
                ) for name in least
            },
        )
        return replace(state, largest=self._find_largest(replayer))

    def _find_largest(self, replayer: Any) -> str:
        """Return the flavor of most memory that is placed; empty: none."""
        names = sorted(self._decisions, key=lambda name: (
            -self._demands[name]['MEMORY_MB'], -self._demands[name]['VCPU'],
            name,
        ))
        return next((
            name for name in names
            if _is_placed(replayer, self._decisions[name], self._last)
        ), '')


def _is_stranded(
    free: Mapping[str, int], name: str, least: Mapping[str, int]
) -> bool:
    """Say whether no flavor can use what a host has free of a class."""
    return free.get(name, 0) < least[name] or any(
        free.get(other, 0) < least.get(other, 0)
        for other in ('VCPU', 'MEMORY_MB')
    )


def _is_placed(
    replayer: Any, decision: JournalDecision, last: JournalDecision | None
) -> bool:
    """Say whether one more server would be placed, anywhere.

    :param decision: asks for such a server.
    :param last: has the cloud of the end.
    """
    data = {
        **decision.spec['nova_object.data'], 'num_instances': 1,
        'instance_group': None, 'requested_destination': None,
        'availability_zone': None,
    }
    again: Replayed = replayer.decide(replace(
        last or decision, spec={**decision.spec, 'nova_object.data': data},
        servers=[_PROBE], ended=[], destinations=[], attempts=[], claims=[],
        providers=[], candidates=None, mirrored=True, fallback='',
        operation=Operation.FIRST_BOOT.value, context=decision.context,
    ), compared=False)
    replayer.stage.cloud.release(_PROBE)
    return again.outcome == PLACED


def _read_demand(flavor: Mapping[str, Any]) -> dict[str, int]:
    """Return what a flavor asks of a host."""
    demand = {
        'VCPU': flavor['vcpus'], 'MEMORY_MB': flavor['memory_mb'],
        'DISK_GB': flavor['root_gb'] + flavor['ephemeral_gb'],
    }
    for name, value in (flavor.get('extra_specs') or {}).items():
        if name.startswith(_RESOURCES) and value.isdigit():
            demand[name.removeprefix(_RESOURCES)] = int(value)
    return demand
