"""Say what a change would have made of the requests that were followed."""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from nova_ext.core.decision.transition import LOST, UNVERIFIED, Transition
from nova_ext.core.explanation.text_format import pluralize, sanitize
from nova_ext.replay.shadow.tally import Tally

COLUMNS = (
    'Host', 'Used', 'NoValidHost', 'Moved away', 'Moved here', 'Examples',
)
#: Hosts that the table lists.
MAX_HOSTS = 50
#: Of the tally, what concerns nobody but the follower.
_HIDDEN = ('version', 'change', 'positions')


def summarize(tally: Tally) -> str:
    """Return the sentence above the table."""
    since = datetime.datetime.fromtimestamp(tally.since, datetime.UTC)
    text = (
        f'Over {pluralize(tally.requests, "request")} since '
        f'{since:%Y-%m-%d %H:%M:%S} UTC {sanitize(tally.name)} would have '
        f'turned {tally.count(Transition.PLACED_NONE)} into NoValidHost and '
        f'moved {tally.count(Transition.OTHER_HOST)}'
    )
    if gained := tally.count(Transition.NONE_PLACED):
        text += f'; it would have placed {gained} that found no host'
    skipped = sum(each['count'] for each in tally.skipped)
    return f'{text}; {skipped} more were skipped' if skipped else text


def list_notes(tally: Tally) -> Iterator[str]:
    """Yield the lines below the table."""
    for group in tally.causes:
        yield sanitize(
            f'{group["count"]} {Transition[group["transition"].upper()]}: '
            f'{group["cause"]}, {_name_examples(group)}'
        )
    for group in sorted(tally.skipped, key=lambda each: -each['count']):
        yield sanitize(
            f'{group["count"]} skipped: {group["plugin"] or "the process"} '
            f'{group["why"]}, {_name_examples(group)}'
        )
    for each in tally.left_out:
        yield sanitize(
            f'{each["plugin"]} is asked no more since {each["at"]}, as its '
            f'process was ended for several requests in a row, the last time '
            f'because it {each["why"]}; later ones are answered without it'
        )
    counts = tally.exactness
    if counts.get('partial') or counts.get('not_replayable'):
        yield (
            f'{counts.get("exact", 0)} exact, {counts.get("partial", 0)} '
            f'partial, {counts.get("not_replayable", 0)} not replayable'
        )
    hidden = len(tally.hosts) - MAX_HOSTS
    if hidden > 0:
        yield f'{pluralize(hidden, "host")} less full not listed'
    yield (
        f'counted until {tally.updated}'
        if tally.updated else 'nothing was counted yet'
    )


def describe_verification(tally: Tally) -> str:
    """Return the first sentence of the report."""
    text = (
        f'Under the journal\'s own configuration '
        f'{tally.verified.get("differences", 0)} of '
        f'{tally.verified.get("exact", 0)} exact decisions differ'
    )
    if tally.unverified:
        text += f'; not verified from {sanitize(tally.unverified)}'
    return text


def build_table(tally: Tally) -> tuple[Sequence[str], list[Sequence[Any]]]:
    """Return columns and rows: a host each, the fullest first."""
    hosts = sorted(
        tally.hosts.items(),
        key=lambda each: (-each[1].get('used', 0), each[0]),
    )
    return COLUMNS, [
        (
            sanitize(name),
            f'{host["used"]:.0%} of {host["of"]}' if 'used' in host else '',
            host['lost'], host['left'], host['reached'],
            '\n'.join(map(sanitize, host['examples'])),
        ) for name, host in hosts[:MAX_HOSTS]
    ]


def to_dict(tally: Tally) -> dict[str, Any]:
    """Return the whole as JSON-ready data."""
    return {
        'verification': describe_verification(tally),
        'sentence': summarize(tally), 'requests': tally.requests,
        **{
            name: value for name, value in asdict(tally).items()
            if name not in _HIDDEN
        },
    }


def get_exit_status(tally: Tally) -> int:
    """Return 0, LOST or UNVERIFIED, as of a replay."""
    if tally.unverified or tally.verified.get('differences'):
        return UNVERIFIED
    return LOST if tally.count(Transition.PLACED_NONE) else 0


def _name_examples(group: dict[str, Any]) -> str:
    return f'such as {", ".join(group["examples"])}'
