"""Judge on how many hosts a flavor passes."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nova_ext.cloud_rules import quantity
from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.rules_file import NAME, CloudRule
from nova_ext.cloud_rules.scheduler import UnknownError
from nova_ext.core.explanation import host_rows
from nova_ext.core.explanation.text_format import (
    format_hosts,
    pluralize,
    sanitize,
)

KEY = 'passes on'
_TEXT = {'type': 'string', 'minLength': 1}
#: Which servers a rule is about.
SERVERS = {
    'flavor': _TEXT, 'for project': _TEXT, 'with image': _TEXT,
    'in zone': _TEXT,
    'with hints': {
        'type': 'object', 'additionalProperties': {'type': 'string'},
        'description': 'write NAME: VALUE below it, both of them texts',
    },
}
SCHEMA = {
    'type': 'object', 'required': ['flavor'], 'additionalProperties': False,
    'properties': {**NAME, **SERVERS, 'in aggregate': _TEXT, KEY: {
        'type': 'string', 'pattern': quantity.HOSTS,
        'description': quantity.HOW_HOSTS,
    }, 'room': {'enum': ['ignored'], 'description': 'write "ignored"'}},
}
#: Number of reasons shown; the others are counted.
_MAX_REASONS = 4


@dataclass(frozen=True)
class HostVerdicts:
    """Hold which hosts pass.

    :param reasons: why others do not, by host.
    :param unnamed: hosts that do not pass and are not named.
    """

    passing: frozenset[str]
    reasons: Mapping[str, str]
    unnamed: int
    sentence: str


def judge(rule: CloudRule, cloud: JudgedCloud) -> str:
    """Return what is otherwise than the rule says; empty: nothing.

    :raises NovaExtError: it is not known.
    """
    fields = rule.fields
    wanted = cloud.hosts
    if name := fields.get('in aggregate'):
        wanted = cloud.get_aggregate(name).hosts
    verdicts = ask(cloud, fields, ignore_room='room' in fields)
    passing = verdicts.passing & wanted
    unnamed = verdicts.unnamed if wanted - passing - set(
        verdicts.reasons
    ) else 0
    if unnamed and wanted != cloud.hosts:
        raise UnknownError(
            f'{pluralize(unnamed, "host")} that do not pass are not named in '
            f'the answer'
        )
    demanded = quantity.parse(fields[KEY])
    if demanded.holds(len(passing), len(passing), len(wanted)):
        return ''
    count = f'{len(passing)} of {pluralize(len(wanted), "host")}'
    verb = 'passes' if len(passing) == 1 else 'pass'
    if demanded.bound == 'at least' or demanded.number:
        others = _explain(verdicts.reasons, wanted - passing)
        return '; '.join([f'{count} {verb}', *others])
    return f'{count} {verb}: {format_hosts(sorted(passing))}'


def ask(
    cloud: JudgedCloud, fields: Mapping[str, Any], *, ignore_room: bool
) -> HostVerdicts:
    """Return the hosts that pass, and why others do not.

    :raises NovaExtError: it is not known.
    """
    return read(cloud.scheduler.simulate(
        cloud.build_request(fields), {'ignore_room': True} if ignore_room
        else {}
    ), cloud.hosts)


def read(
    explanation: Mapping[str, Any], hosts: Collection[str]
) -> HostVerdicts:
    """Read an explanation.

    :param hosts: all of the cloud. An answer names a few of those that pass,
        and most of those that do not.
    """
    decision = explanation['decision']
    placement = decision.get('placement') or {'answered': True}
    if explanation['outcome'] == 'failed' or not placement['answered']:
        raise UnknownError(explanation['sentence'])
    lacks = {
        host: ' and '.join(group['lacks'])
        for group in (decision.get('asked_again') or {}).get('left_out', ())
        for host in group['hosts']
    }
    passing, reasons, passed, rejected = set[str](), dict[str, str](), 0, 0
    for row in explanation['rows']:
        names = [name.partition('/')[0] for name in row['hosts']]
        if row['verdict'] != host_rows.REJECTED:
            passed += row['count']
            passing |= set(names)
            continue
        rejected += row['count']
        for name in names:
            why = row['reasons'].get(name)
            if row['stage'] == 'placement':
                # Of several hosts the row's reason may name some alone.
                why = lacks.get(name) or why
                if row['count'] > 1:
                    why = why or 'no candidate from placement'
            why = why or row['reason']
            reasons[name] = sanitize(f'{row["stage"]}: {why}')
    # Of several nodes of a host, one that passes is enough.
    reasons = {
        host: why for host, why in reasons.items() if host not in passing
    }
    if len(passing) < passed:
        if len(reasons) < rejected:
            raise UnknownError(
                f'{passed} hosts pass, and the answer names neither all of '
                f'them nor all others'
            )
        passing = set(hosts) - reasons.keys()
    return HostVerdicts(
        frozenset(passing), reasons, max(0, rejected - len(reasons)),
        explanation['sentence'],
    )


def _explain(
    reasons: Mapping[str, str], hosts: Iterable[str]
) -> Iterator[str]:
    """Generate the reasons why hosts do not pass, the most frequent first."""
    groups: dict[str, list[str]] = {}
    for host in sorted(hosts):
        groups.setdefault(
            reasons.get(host, 'not offered to the filters'), []
        ).append(host)
    listed = sorted(groups.items(), key=lambda item: -len(item[1]))
    for reason, names in listed[:_MAX_REASONS]:
        yield f'{reason} ({format_hosts(names)})'
    if rest := sum(len(names) for _, names in listed[_MAX_REASONS:]):
        yield f'{rest} for other reasons'
