"""Whose names are in a report."""

import getpass
import socket
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from nova_ext.core.decision.decision import Decision
from nova_ext.doctor.check import NotRunError
from nova_ext.doctor.facts import Facts
from nova_ext.report.scrub import Scrubber


def of_this_machine(scrubber: Scrubber) -> None:
    """Its own name, and its user's."""
    # Its domain is not asked of DNS, which may take long to be silent.
    scrubber.learn('host', [socket.gethostname()])
    scrubber.learn('user', [getpass.getuser()])


def of_cloud(scrubber: Scrubber, facts: Facts) -> None:
    """Hosts, nodes and aggregates, as far as they were read."""
    kinds: tuple[tuple[str, Callable[[], Iterable[str]]], ...] = (
        ('host', lambda: [each.host for each in facts.services]),
        ('host', lambda: [each.name for each in facts.hypervisors]),
        ('host', lambda: facts.providers.values()),
        ('aggregate', lambda: [each.name for each in facts.aggregates]),
    )
    for kind, names in kinds:
        try:
            scrubber.learn(kind, names())
        except NotRunError:
            continue


def of_decision(scrubber: Scrubber, decision: Decision) -> None:
    """Everything in a decision that somebody has named."""
    scrubber.learn('server', decision.servers)
    scrubber.learn('project', [decision.project_id])
    scrubber.learn('user', [decision.user_id])
    scrubber.learn('host', _hosts(decision))
    request = decision.request
    flavor = request.get('flavor')
    for kind, value in (
        ('flavor', flavor.get('name') if isinstance(flavor, dict) else ''),
        ('image', request.get('image')),
        ('zone', request.get('availability_zone')),
        ('host', [request.get(name) for name in _HOST_FIELDS]),
        ('value', request.get('hints')),
    ):
        scrubber.learn(kind, _strings(value))


#: Fields of a request that name hosts.
_HOST_FIELDS = (
    'ignore_hosts', 'force_hosts', 'force_nodes', 'requested_host',
)


def _hosts(decision: Decision) -> Iterator[str]:
    labels = [str(decision.by.get('host', ''))]
    labels += [claim.host for claim in decision.claims]
    for names in decision.chosen.values():
        labels += names
    if decision.absent:
        labels += decision.absent.hosts
    for rejection in decision.kept_out:
        labels += rejection.hosts
    for attempt in decision.attempts:
        labels += attempt.ranked
        labels += attempt.draw.hosts if attempt.draw else []
        for step in attempt.steps:
            for rejection in step.rejections:
                labels += rejection.hosts
        for weighing in attempt.weighers:
            labels += [*weighing.weights, *weighing.without]
    for label in labels:
        # A node of another name stands behind its host's.
        yield from label.split('/')


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
