"""Count what a change would have made of requests, and keep it in a file."""

import contextlib
import dataclasses
import datetime
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_ext.core.base import atomic_file
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.transition import Transition
from nova_ext.core.explanation import shadow_report
from nova_ext.journal.model import HostFacts
from nova_ext.journal.replayed import Original
from nova_ext.replay import report
from nova_ext.replay.comparison import Change
from nova_ext.replay.share import Setup

#: Examples that are kept: of each group, and decisions of each transition.
EXAMPLES, DECISIONS = 3, 20


@dataclass
class Tally:
    """Count requests.

    :param name: of what is changed, as it was given.
    :param change: what is changed, to compare.
    :param since: requests of this time and later are asked, in seconds since
        1970.
    :param updated: when it was written, as ISO 8601 in UTC.
    :param end: why nothing follows any more; empty: something does, unless
        its process was killed.
    :param transitions: how many requests came to what, by Transition's name.
    :param exactness: how many were exact, partial, not replayable.
    :param verified: ``exact`` ones and ``differences`` of them, under the
        journal's own configuration.
    :param unverified: why that is not known; empty: it is.
    :param skipped: groups with ``plugin``, ``why``, ``count``, ``examples``.
    :param left_out: plugins that are asked no more, with ``why`` and ``at``.
    :param causes: groups with ``transition``, ``cause``, ``count``,
        ``examples``.
    :param hosts: by name ``used``, a share, and ``of`` what; how many
        requests would have ``lost``, ``left`` or ``reached`` it; ``examples``.
    :param decisions: the newest changed ones in full, by transition.
    :param positions: ID of the last decision that was asked, by file name.
    """

    name: str
    change: Mapping[str, Any]
    since: float
    version: int = shadow_report.VERSION
    updated: str = ''
    end: str = ''
    transitions: dict[str, int] = field(default_factory=dict)
    exactness: dict[str, int] = field(default_factory=dict)
    verified: dict[str, int] = field(default_factory=dict)
    unverified: str = ''
    skipped: list[dict[str, Any]] = field(default_factory=list)
    left_out: list[dict[str, Any]] = field(default_factory=list)
    causes: list[dict[str, Any]] = field(default_factory=list)
    hosts: dict[str, dict[str, Any]] = field(default_factory=dict)
    decisions: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    positions: dict[str, int] = field(default_factory=dict)

    @property
    def requests(self) -> int:
        """Return how many requests were answered."""
        return sum(self.transitions.values())

    def count(self, transition: Transition) -> int:
        """Return how many requests came to this."""
        return self.transitions.get(transition.name.lower(), 0)

    def add(self, change: Change, hosts: Sequence[HostFacts]) -> None:
        """Count a request.

        :param hosts: what the journal has of its hosts.
        """
        name = change.transition.name.lower()
        _increment(self.transitions, name)
        _increment(self.exactness, change.exactness.name.lower())
        if change.transition is Transition.SAME:
            return
        request = change.original.request_id
        _add_to_group(self.causes, {
            'transition': name,
            'cause': change.cause.text if change.cause else '',
        }, request)
        by_name = {facts.host: facts for facts in hosts}
        for host, count in (
            (change.before, 'left' if change.after else 'lost'),
            (change.after, 'reached'),
        ):
            if host:
                self._add_host(host, count, request, by_name)
        newest = self.decisions.setdefault(name, [])
        newest.insert(0, report.change_to_dict(change))
        del newest[DECISIONS:]

    def _add_host(
        self, name: str, count: str, request: str,
        hosts: Mapping[str, HostFacts],
    ) -> None:
        host = self.hosts.setdefault(name, {
            'lost': 0, 'left': 0, 'reached': 0, 'examples': [],
        })
        host[count] += 1
        _keep_example(host['examples'], request)
        # A node's name follows its host's.
        facts = hosts.get(name) or hosts.get(name.partition('/')[0])
        if facts is not None:
            host['used'], host['of'] = get_use(facts)

    def skip(self, original: Original, plugin: str, why: str) -> None:
        """Count a request that was not answered."""
        _add_to_group(
            self.skipped, {'plugin': plugin, 'why': why}, original.request_id
        )

    def leave_out(self, plugin: str, why: str) -> None:
        """Note a plugin that is asked no more."""
        self.left_out.append({'plugin': plugin, 'why': why, 'at': _now()})

    def write(self, path: Path) -> None:
        """Write it into a file, which its owner alone may read.

        :raises NovaExtError: it can't be written.
        """
        self.updated = _now()
        try:
            atomic_file.write(
                path, json.dumps(dataclasses.asdict(self), indent=1), 0o600
            )
        except OSError as error:
            raise NovaExtError(
                f'{path} can\'t be written: {error.strerror}; name another '
                f'file with --report'
            ) from error


def begin(
    path: Path, name: str, setup: Setup, since: float | None
) -> Tally:
    """Return the tally of a file, or a new one where there is none.

    :param since: see :class:`Tally`; None: from now on.
    :raises NovaExtError: the file counts requests of another change.
    """
    # As it is read from a file.
    change = json.loads(json.dumps(dataclasses.asdict(setup)))
    new = Tally(name, change, time.time() if since is None else since)
    if not path.exists():
        return new
    known = read(path)
    if known.change != change:
        if not (known.requests or known.skipped):
            return new
        raise NovaExtError(
            f'{path} counts another change, {known.name}; name another file '
            f'with --report, or remove it'
        )
    return known


def read(path: Path) -> Tally:
    """Read a tally from a file.

    :raises NovaExtError: there is none.
    """
    try:
        fields = shadow_report.read_tally(path.read_text(encoding='utf-8'))
    except FileNotFoundError:
        raise NovaExtError(
            f'{path} is not there: nova-ext replay --follow writes it'
        ) from None
    except OSError as error:
        raise NovaExtError(f'{path}: {error.strerror}') from error
    except ValueError:
        fields = None
    if fields is not None:
        with contextlib.suppress(TypeError):
            return Tally(**fields)
    raise NovaExtError(
        f'{path} is no report that this nova-ext replay --follow writes'
    )


def get_use(facts: HostFacts) -> tuple[float, str]:
    """Return which share of a host is used, and of what.

    :returns: of memory or processors, whichever is fuller, with Nova's
        allocation ratios; 0 where a host does not say.
    """
    values = facts.values
    memory = values.get('total_usable_ram_mb') or 0
    return max(
        (_divide(
            memory - (values.get('free_ram_mb') or 0), memory,
            values.get('ram_allocation_ratio'),
        ), 'memory'),
        (_divide(
            values.get('vcpus_used') or 0, values.get('vcpus_total') or 0,
            values.get('cpu_allocation_ratio'),
        ), 'processors'),
    )


def _divide(used: float, total: float, ratio: float | None) -> float:
    room = total * (ratio or 1.0)
    return round(used / room, 4) if room else 0.0


def _add_to_group(
    groups: list[dict[str, Any]], key: dict[str, str], request: str
) -> None:
    group = next((
        each for each in groups if key.items() <= each.items()
    ), None)
    if group is None:
        group = {**key, 'count': 0, 'examples': []}
        groups.append(group)
    group['count'] += 1
    _keep_example(group['examples'], request)


def _keep_example(examples: list[str], request: str) -> None:
    if request not in examples:
        examples.insert(0, request)
        del examples[EXAMPLES:]


def _increment(counts: dict[str, int], name: str, by: int = 1) -> None:
    counts[name] = counts.get(name, 0) + by


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec='seconds')
