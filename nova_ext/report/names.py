"""Teach a scrubber the names that a report may hold."""

import contextlib
import getpass
import re
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
    for kind, names in _list_aggregates(decision).items():
        scrubber.learn(kind, names)


#: Fields of a request that name hosts.
_HOST_FIELDS = ('ignore_hosts', *named_host.FIELDS)
#: Details of reasons that list aggregates or the values of their metadata.
_LISTS = re.compile(r'(?:by aggregate|such as) (.*)', re.DOTALL)
_VALUES = re.compile(r'and is (?!in none$)(.*)', re.DOTALL)
#: A value behind an aggregate's name and the key.
_VALUE = re.compile(r'\([\w:. -]+=([^(),]*)')
#: What stands between names and values. Names may hold it, too: then each of
#: their parts is learned.
_BETWEEN = re.compile(r'\([\w:. -]+=|[(),]')


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
    """Return aggregates that hosts are in or not, their values and zones."""
    names: dict[str, list[str]] = {'value': [], 'aggregate': [], 'zone': []}
    for group in decision.asked_again.left_out if decision.asked_again else ():
        for clause in group.lacks:
            _, _, named = clause.partition(' aggregate ')
            for part in named.split(' or '):
                name, _, zone = part.partition(' (availability zone ')
                names['aggregate'].append(name)
                names['zone'].append(zone.removesuffix(')'))
    for detail in _list_details(decision):
        if listed := _LISTS.fullmatch(detail):
            names['value'] += _VALUE.findall(listed[1])
            names['aggregate'] += _split(listed[1])
        elif listed := _VALUES.fullmatch(detail):
            names['value'] += _split(listed[1])
    return names


def _list_details(decision: Decision) -> set[str]:
    """Return the details that were found in aggregates."""
    rejections = [*decision.kept_out, *(
        rejection for attempt in decision.attempts for step in attempt.steps
        if step.name.startswith('Aggregate') for rejection in step.rejections
    )]
    return {
        detail for rejection in rejections
        for detail in rejection.details.values()
    }


def _split(listed: str) -> Iterator[str]:
    for part in _BETWEEN.split(listed):
        yield part.strip()


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
