"""Explain in a sentence why a server is where it is, or nowhere.

The counts of a sentence add up to its total. What the record does not hold
is named as unknown, never guessed.
"""

from dataclasses import dataclass, field

from nova_ext.core.decision.decision import (
    ALL_BUT_OUTCOME,
    CHOICE,
    COMPUTE,
    FAILED,
    NO_VALID_HOST,
    PASSED,
    PLACED,
    Attempt,
    Decision,
)
from nova_ext.core.explanation import host_counts, host_rows, left_out, notes
from nova_ext.core.explanation.group_text import format_group
from nova_ext.core.explanation.host_counts import HostCounts
from nova_ext.core.explanation.redaction import redact
from nova_ext.core.explanation.text_format import format_hosts, sanitize
from nova_ext.core.request.operation import Operation

#: Reasons that a sentence lists; the table has all of them.
MAX_REASONS = 8


@dataclass
class Explanation:
    """Represent what became of a request.

    :param decision: what is explained, as its reader may see it.
    :param sentence: the answer in one line.
    :param outcome: the decision's.
    :param rows: what became of every host.
    :param notes: further facts, a line each.
    """

    decision: Decision
    sentence: str
    outcome: str
    rows: list[host_rows.Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def explain(
    decision: Decision, server: str = '', *, hosts: bool = True,
    reader: str = '',
) -> Explanation:
    """Explain a decision.

    :param server: UUID of the server; needed where a request placed several.
    :param hosts: name hosts and what differs between them, for operators.
        False: redact the decision, for members of its project.
    :param reader: ID of the member.
    """
    if not hosts:
        decision = redact(decision, reader)
    counts = host_counts.count_hosts(decision, server)
    if decision.outcome == PLACED:
        sentence = _explain_success(decision, counts)
    elif decision.outcome == PASSED:
        first = f'{counts.passed}/{_format_total(counts)} passed'
        sentence = (
            f'{_add_groups(first, counts)}; which was taken was not seen'
        )
    else:
        sentence = _explain_failure(decision, counts)
    return Explanation(
        decision, sanitize(sentence), decision.outcome,
        host_rows.build_rows(decision, counts),
        notes.list_notes(decision, counts, hosts=hosts),
    )


def _explain_success(decision: Decision, counts: HostCounts) -> str:
    offered = host_rows.get_offered_hosts(decision, counts)
    chosen = offered[:decision.wanted]
    names = format_hosts(chosen) or 'a host'
    if counts.attempt is None:
        return f'{names} chosen; how is not recorded'
    first = f'from {counts.passed} of {_format_total(counts)}'
    parts = [_add_groups(
        f'{names} offered {first} and refused later' if decision.refused_later
        else f'{names} chosen {first}', counts,
    )]
    filled, unanswered = (
        host_counts.get_refused_hosts(decision, counts.server, kind)
        for kind in (host_counts.FILLED, host_counts.UNANSWERED)
    )
    if filled:
        parts.append(
            f'no room on {format_hosts(filled)} after earlier servers of the '
            f'request'
        )
    if unanswered:
        parts.append(
            f'placement did not answer the claim on '
            f'{format_hosts(unanswered)}'
        )
    parts += [
        f'claim refused by placement on {format_hosts(refused)} ({reason})'
        for reason, refused in host_counts.get_refusals(
            decision, counts.server
        ).items()
    ]
    parts += [
        f'{step.name} returned {format_hosts(step.added)} without having been '
        f'given {"it" if len(step.added) == 1 else "them"}'
        for attempt in decision.attempts for step in attempt.steps
        if step.added and set(chosen) & set(step.added)
    ]
    parts += _explain_forced(decision, counts.attempt)
    parts += _explain_draw(counts.attempt, chosen)
    parts += [f'{decision.wanted} were wanted'] * (
        0 < len(chosen) < decision.wanted
    )
    if decision.operation == 'rebuild':
        parts.append('a rebuild stays on its host')
    if alternates := offered[len(chosen):]:
        parts.append(f'alternates {format_hosts(alternates)}')
    parts += filter(None, [left_out.summarize(decision)])
    servers = decision.servers
    if len(servers) > 1 and counts.server in servers:
        number = servers.index(counts.server) + 1
        return f'server {number} of {len(servers)}: {"; ".join(parts)}'
    return '; '.join(parts)


def _explain_failure(decision: Decision, counts: HostCounts) -> str:
    end = _explain_end(decision)
    if counts.total:
        sentence = '; '.join([
            _add_groups(f'0/{_format_total(counts)}{end}', counts),
            *_explain_forced(decision, counts.attempt),
            *filter(None, [left_out.summarize(decision)]),
        ])
    elif decision.hosts_total == 0:
        topic = decision.topic
        sentence = 'no host: the cloud has none' if topic == COMPUTE else (
            f'no host: no service of topic {topic} reports'
        )
    else:
        sentence = f'no host{end or ": nothing more is recorded"}'
    number = _count_servers(decision)
    if number < 2:
        return sentence
    if not decision.attempts:
        return f'none of {number} servers: {sentence}'
    failing = decision.attempts[-1].index + 1
    is_choice = decision.operation == CHOICE
    if is_choice and failing > 1 and decision.outcome == NO_VALID_HOST:
        return (
            f'hosts for {failing - 1} of {number} servers, and none for '
            f'server {failing}: {sentence}'
        )
    if decision.outcome == FAILED:
        is_claimed = any(
            claim.claimed and claim.server == counts.server
            for claim in decision.claims
        )
        at = '' if is_claimed else f' at its server {failing}'
        return (
            f'none of {number} servers, since an error ended the '
            f'request{at}: {sentence}'
        )
    return (
        f'none of {number} servers, since a request is placed as a whole and '
        f'its server {failing} found no host: {sentence}'
    )


def _count_servers(decision: Decision) -> int:
    """Return how many servers were requested, at least.

    A stock nova-scheduler names a server only when its turn comes.
    """
    number = len(decision.servers)
    if decision.operation == Operation.FIRST_BOOT.value:
        requested = decision.request.get('servers')
        return max(number, requested if isinstance(requested, int) else 0)
    return number


def _explain_forced(
    decision: Decision, attempt: Attempt | None
) -> list[str]:
    forced = {'force_hosts', 'force_nodes'} & set(decision.request)
    if not forced or attempt is None:
        return []
    if any(step.kind == 'filter' for step in attempt.steps):
        return []
    return ['filters skipped, as the request forced its host']


def _explain_draw(attempt: Attempt, chosen: list[str]) -> list[str]:
    """Say how many hosts were as good as the chosen one, if it was drawn."""
    draw, equal = attempt.draw, attempt.equal
    if draw is None:
        first = chosen == attempt.ranked[:1]
        return [f'the first of {equal} of equal weight'] * (
            equal > 1 and first
        )
    # After a refused claim the best of the others is taken, which was not
    # drawn, unless all were shuffled. More were than may be listed.
    shuffled = draw.count if draw.by_driver else draw.shuffled
    if chosen != attempt.ranked[:1] and shuffled <= len(attempt.ranked) and (
        not set(chosen) & set(attempt.ranked[:shuffled])
    ):
        return []
    if draw.by_driver:
        among = 'by the driver'
    elif not set(chosen) & set(draw.hosts) and len(draw.hosts) == draw.count:
        return []
    else:
        among = 'of equal weight' if draw.count == equal else 'that came first'
    seed = '' if draw.seed is None else f', with seed {draw.seed}'
    return [f'drawn by chance from {draw.count} {among}{seed}']


def _explain_end(decision: Decision) -> str:
    """Say, after a comma, what ended a request apart from its hosts."""
    message = sanitize(decision.message).removeprefix(
        'No valid host was found. '
    )
    if decision.outcome == FAILED:
        text = f': {decision.error_text}' if decision.error_text else ''
        return f', {message or "an error ended it"}{text}'
    if not decision.outcome and not decision.is_from_log:
        return ', its end was not recorded'
    if decision.attempts or decision.operation == 'rebuild':
        return ''
    if decision.is_from_log and (message or not decision.outcome):
        # A log has it, but not the stage. A note says that the end is unknown.
        return f', {message}' if message else ''
    if placement := decision.placement:
        if placement.refusal:
            return f', placement refused the query ({placement.refusal})'
        if not placement.answered:
            return ', placement did not answer'
        none = placement.offers_none
        return ', placement offered none' if none else ''
    if ALL_BUT_OUTCOME in decision.left_out:
        return f', {message}' if message else ''
    if message or decision.absent:
        return (
            f', refused before placement was asked ({message or "no reason"})'
        )
    return ''


def _format_total(counts: HostCounts) -> str:
    hosts = 'host' if counts.total == 1 else 'hosts'
    return f'{counts.total} {hosts} {counts.scope}'.rstrip()


def _add_groups(first: str, counts: HostCounts) -> str:
    """Add the groups to the beginning of a sentence; sum up the last ones."""
    groups = counts.groups
    shown = [format_group(group) for group in groups]
    if len(groups) > MAX_REASONS:
        rest = groups[MAX_REASONS - 1:]
        count = sum(group.count for group in rest)
        shown[MAX_REASONS - 1:] = [f'{count} for {len(rest)} other reasons']
    return f'{first}: {", ".join(shown)}' if shown else first
