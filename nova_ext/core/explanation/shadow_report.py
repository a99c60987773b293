"""Say what a change would have made of the requests that a shadow asked.

A report is plain data: the shadow writes it, nova-ext-shipper stores it, and
``nova-ext shadow report`` and ``openstack scheduler shadow report`` print it.
"""

import datetime
import json
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from nova_ext.core.decision.transition import LOST, UNVERIFIED, Transition
from nova_ext.core.explanation.text_format import pluralize, sanitize

Report = Mapping[str, Any]

#: Name of the shadow's file in the journal's folder, and version of its form.
FILE, VERSION = 'shadow.json', 1
COLUMNS = (
    'Host', 'Used', 'NoValidHost', 'Moved away', 'Moved here', 'Examples',
)
#: Hosts that the table lists.
MAX_HOSTS = 50
#: What the shadow's file has for readers; the rest concerns the shadow alone.
_SHOWN = (
    'name', 'since', 'updated', 'end', 'transitions', 'exactness', 'verified',
    'unverified', 'skipped', 'left_out', 'causes', 'hosts', 'decisions',
)
#: Seconds between two writes of a shadow that follows, at most; and seconds
#: without one after which it is taken for dead.
PULSE_S, SILENT_S = 30.0, 90.0


class ShadowState(StrEnum):
    """Name whether a shadow still follows."""

    FOLLOWS = 'follows'
    ENDED = 'ended'
    SILENT = 'silent'


def read_tally(text: str) -> dict[str, Any] | None:
    """Return what a shadow has written; None: no shadow wrote this."""
    try:
        tally: dict[str, Any] = json.loads(text)
        report = serialize(tally)
        report |= judge(report, 0.0)
        # It can be printed.
        [*list_notes(report), *build_table(report)]
        return tally if tally['version'] == VERSION else None
    except (
        AttributeError, LookupError, OSError, OverflowError, RecursionError,
        TypeError, ValueError,
    ):
        return None


def serialize(tally: Report) -> dict[str, Any]:
    """Return a report as JSON-ready data.

    :param tally: fields of :class:`nova_ext.replay.shadow.tally.Tally`.
    """
    shown = {name: tally[name] for name in _SHOWN}
    shown['requests'] = sum(shown['transitions'].values())
    return {
        'verification': describe_verification(shown),
        'sentence': summarize(shown), **shown,
    }


def summarize(report: Report) -> str:
    """Return the sentence above the table."""
    since = datetime.datetime.fromtimestamp(report['since'], datetime.UTC)
    text = (
        f'Over {pluralize(report["requests"], "request")} since '
        f'{since:%Y-%m-%d %H:%M:%S} UTC {sanitize(report["name"])} would have '
        f'turned {_count(report, Transition.PLACED_NONE)} into NoValidHost '
        f'and moved {_count(report, Transition.OTHER_HOST)}'
    )
    if gained := _count(report, Transition.NONE_PLACED):
        text += f'; it would have placed {gained} that found no host'
    skipped = sum(each['count'] for each in report['skipped'])
    return f'{text}; {skipped} more were skipped' if skipped else text


def list_notes(
    report: Report, suspects: str = 'its process'
) -> Iterator[str]:
    """Yield the lines below the table.

    :param report: with what :func:`judge` returns.
    :param suspects: what has died if nothing is written any more.
    """
    for group in report['causes']:
        yield sanitize(
            f'{group["count"]} {Transition[group["transition"].upper()]}: '
            f'{group["cause"]}, {_name_examples(group)}'
        )
    for group in sorted(report['skipped'], key=lambda each: -each['count']):
        yield sanitize(
            f'{group["count"]} skipped: {group["plugin"] or "the process"} '
            f'{group["why"]}, {_name_examples(group)}'
        )
    for each in report['left_out']:
        yield sanitize(
            f'{each["plugin"]} is asked no more since {each["at"]}, as its '
            f'process was ended for several requests in a row, the last time '
            f'because it {each["why"]}; later ones are answered without it'
        )
    counts = report['exactness']
    if counts.get('partial') or counts.get('not_replayable'):
        yield (
            f'{counts.get("exact", 0)} exact, {counts.get("partial", 0)} '
            f'partial, {counts.get("not_replayable", 0)} not replayable'
        )
    hidden = len(report['hosts']) - MAX_HOSTS
    if hidden > 0:
        yield f'{pluralize(hidden, "host")} less full not listed'
    yield _describe_state(report, suspects)


def judge(report: Report, now: float) -> dict[str, Any]:
    """Return ``age_s``, seconds since it was written, and ``state``.

    :param now: in seconds since 1970.
    """
    written = datetime.datetime.fromisoformat(report['updated']).timestamp()
    age_s = max(0, round(now - written))
    state = ShadowState.SILENT if age_s > SILENT_S else ShadowState.FOLLOWS
    return {
        'age_s': age_s, 'state': ShadowState.ENDED if report['end'] else state,
    }


def describe_verification(report: Report) -> str:
    """Return the first sentence of the report."""
    text = (
        f'Under the journal\'s own configuration '
        f'{report["verified"].get("differences", 0)} of '
        f'{report["verified"].get("exact", 0)} exact decisions differ'
    )
    if report['unverified']:
        text += f'; not verified from {sanitize(report["unverified"])}'
    return text


def build_table(report: Report) -> list[Sequence[Any]]:
    """Return rows of COLUMNS: a host each, the fullest first."""
    hosts = sorted(
        report['hosts'].items(),
        key=lambda each: (-each[1].get('used', 0), each[0]),
    )
    return [
        (
            sanitize(name),
            f'{host["used"]:.0%} of {host["of"]}' if 'used' in host else '',
            host['lost'], host['left'], host['reached'],
            '\n'.join(map(sanitize, host['examples'])),
        ) for name, host in hosts[:MAX_HOSTS]
    ]


def get_exit_status(report: Report) -> int:
    """Return 0, LOST or UNVERIFIED, as of a replay."""
    if report['unverified'] or report['verified'].get('differences'):
        return UNVERIFIED
    return LOST if _count(report, Transition.PLACED_NONE) else 0


def _describe_state(report: Report, suspects: str) -> str:
    updated = report['updated']
    match ShadowState(report['state']):
        case ShadowState.ENDED:
            return f'it ended at {updated}: {sanitize(report["end"])}'
        case ShadowState.SILENT:
            return f'no sign of it since {updated}: {suspects} has died'
    return (
        f'it follows; its last sign, due every {PULSE_S:.0f} s, is '
        f'{report["age_s"]} s old'
    )


def _count(report: Report, transition: Transition) -> int:
    count: int = report['transitions'].get(transition.name.lower(), 0)
    return count


def _name_examples(group: Mapping[str, Any]) -> str:
    return f'such as {", ".join(group["examples"])}'
