"""Teach a scrubber the names that a report may hold."""

import contextlib
import getpass
import socket
from collections.abc import Iterator
from typing import Any

from nova_ext.core.decision.decision import Attempt, Decision
from nova_ext.core.explanation import named_host
from nova_ext.doctor.check import NotRunError
from nova_ext.doctor.facts import Facts
from nova_ext.report.scrub import Scrubber


def learn_machine(scrubber: Scrubber) -> None:
    """Learn this machine's name, and its user's."""
    # No question to DNS for the domain: its timeout may be long.
    scrubber.learn('host', [socket.gethostname()])
    scrubber.learn('user', [getpass.getuser()])


def learn_cloud(scrubber: Scrubber, facts: Facts) -> None:
    """Learn hosts, nodes and aggregates, as far as they can be read."""
    with contextlib.suppress(NotRunError):
        scrubber.learn('host', [service.host for service in facts.services])
    with contextlib.suppress(NotRunError):
        scrubber.learn('host', [node.name for node in facts.hypervisors])
    with contextlib.suppress(NotRunError):
        scrubber.learn('host', facts.providers.values())
    with contextlib.suppress(NotRunError):
        scrubber.learn('aggregate', [each.name for each in facts.aggregates])


def learn_decision(scrubber: Scrubber, decision: Decision) -> None:
    """Learn the names of servers, projects, users, hosts, … in a decision."""
    scrubber.learn('server', decision.servers)
    scrubber.learn('project', [decision.project_id])
    scrubber.learn('user', [decision.user_id])
    scrubber.learn('host', _list_hosts(decision))
    for kind, names in _list_aggregates(decision).items():
        scrubber.learn(kind, names)
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
_HOST_FIELDS = ('ignore_hosts', *named_host.FIELDS)


def _list_hosts(decision: Decision) -> Iterator[str]:
    labels = [str(decision.by.get('host', ''))]
    labels += [claim.host for claim in decision.claims]
    for names in decision.chosen.values():
        labels += names
    if decision.absent:
        labels += decision.absent.hosts
    for rejection in decision.kept_out:
        labels += rejection.hosts
    if decision.asked_again:
        labels.append(decision.asked_again.scheduler)
        for group in decision.asked_again.left_out:
            labels += group.hosts
    for attempt in decision.attempts:
        labels += _list_hosts_of_attempt(attempt)
    for label in labels:
        # A node's name follows its host's, if it differs.
        yield from label.split('/')


def _list_hosts_of_attempt(attempt: Attempt) -> Iterator[str]:
    yield from attempt.ranked
    yield from attempt.draw.hosts if attempt.draw else ()
    for step in attempt.steps:
        for rejection in step.rejections:
            yield from rejection.hosts
    for weighing in attempt.weighers:
        yield from (*weighing.weights, *weighing.without)


def _list_aggregates(decision: Decision) -> dict[str, list[str]]:
    """Return aggregates and zones that hosts are or are not in."""
    names: dict[str, list[str]] = {'aggregate': [], 'zone': []}
    for group in decision.asked_again.left_out if decision.asked_again else ():
        for clause in group.lacks:
            _, _, named = clause.partition(' aggregate ')
            for part in named.split(' or '):
                name, _, zone = part.partition(' (availability zone ')
                names['aggregate'].append(name)
                names['zone'].append(zone.removesuffix(')'))
    return names


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
