"""Why a server is where it is, or nowhere: a sentence and a table.

The counts of a sentence always add up to its total. What a record does not
hold is said, never guessed.
"""

from dataclasses import dataclass, field
from urllib import parse

from nova_ext.core.decision import decision as d
from nova_ext.core.decision import second_look
from nova_ext.core.explanation import counterfactual, missing_stats, prefilters
from nova_ext.core.explanation import host_counts as t
from nova_ext.core.explanation import host_rows as r
from nova_ext.core.explanation.redaction import unnamed
from nova_ext.core.explanation.text_format import clause, clean, host_names

#: Reasons that a sentence lists; the table has all of them.
REASONS = 8


@dataclass
class Explanation:
    """What became of a request.

    :param sentence: the answer in one line.
    :param outcome: the decision's.
    :param rows: what became of every host.
    :param notes: what else one should know, a line each.
    """

    sentence: str
    outcome: str
    rows: list[r.Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def explain(
    decision: d.Decision, server: str = '', *, hosts: bool = True
) -> Explanation:
    """Explain a decision.

    :param server: UUID of the server that is asked about; needed where a
        request placed several.
    :param hosts: name hosts, and tell what was found on them: to operators.
        Members of the project get what :mod:`~nova_ext.core.explanation.redaction` keeps.
    """
    if not hosts:
        decision = unnamed(decision)
    counted = t.tally(decision, server)
    if decision.outcome == d.PLACED:
        sentence = _placed(decision, counted)
    elif decision.outcome == d.PASSED:
        first = f'{counted.passed}/{_hosts(counted)} passed'
        sentence = (
            f'{_listed(first, counted)}; a stock nova-scheduler does not '
            f'tell which was taken'
        )
    else:
        sentence = _failed(decision, counted)
    return Explanation(
        clean(sentence), decision.outcome, r.rows(decision, counted),
        _notes(decision, counted, hosts=hosts),
    )


def _placed(decision: d.Decision, counted: t.Tally) -> str:
    offered = r.offered(decision, counted)
    taken = offered[:decision.wanted]
    chosen = host_names(taken) or 'a host'
    if counted.attempt is None:
        return f'{chosen} chosen; how is not recorded'
    first = f'{chosen} chosen from {counted.passed} of {_hosts(counted)}'
    parts = [_listed(first, counted)]
    refused = t.refused(decision, counted.server)
    if refused:
        parts.append(
            f'claim refused by placement on {host_names(refused)} (taken '
            f'meanwhile)'
        )
    parts += _forced(decision, counted.attempt)
    parts += _chance(counted.attempt, taken)
    parts += [f'{decision.wanted} were wanted'] * (
        0 < len(taken) < decision.wanted
    )
    if decision.operation == 'rebuild':
        parts.append('a rebuild stays on its host')
    if alternates := offered[len(taken):]:
        parts.append(f'alternates {host_names(alternates)}')
    servers = decision.servers
    if len(servers) > 1 and counted.server in servers:
        number = servers.index(counted.server) + 1
        return f'server {number} of {len(servers)}: {"; ".join(parts)}'
    return '; '.join(parts)


def _failed(decision: d.Decision, counted: t.Tally) -> str:
    why = _why(decision)
    if counted.total:
        sentence = '; '.join([
            _listed(f'0/{_hosts(counted)}{why}', counted),
            *_forced(decision, counted.attempt),
            *_asked_again(decision),
        ])
    elif decision.hosts_total == 0:
        sentence = f'no host: {_none(decision.topic)}'
    else:
        sentence = f'no host{why or ": nothing more is recorded"}'
    number = len(decision.servers)
    if number < 2:
        return sentence
    if not decision.attempts:
        return f'none of {number} servers: {sentence}'
    failing = decision.attempts[-1].index + 1
    chosen = decision.operation == d.CHOICE
    if chosen and failing > 1 and decision.outcome == d.NO_VALID_HOST:
        return (
            f'hosts for {failing - 1} of {number} servers, and none for '
            f'server {failing}: {sentence}'
        )
    return (
        f'none of {number} servers, since a request is placed as a whole and '
        f'its server {failing} found no host: {sentence}'
    )


def _none(topic: str) -> str:
    if topic == d.COMPUTE:
        return 'the cloud has none'
    return f'no service of topic {topic} reports'


def _forced(decision: d.Decision, attempt: d.Attempt | None) -> list[str]:
    forced = {'force_hosts', 'force_nodes'} & set(decision.request)
    if not forced or attempt is None:
        return []
    if any(step.kind == 'filter' for step in attempt.steps):
        return []
    return ['filters skipped, as the request forced its host']


def _asked_again(decision: d.Decision) -> list[str]:
    found = decision.asked_again
    sentence = found.sentence(decision.at) if found else ''
    return [sentence] if sentence else []


def _chance(attempt: d.Attempt, chosen: list[str]) -> list[str]:
    """Which hosts were as good as the chosen one, if it was one of them."""
    draw, equal = attempt.draw, attempt.equal
    if draw is None:
        first = chosen == attempt.ranked[:1]
        return [f'the first of {equal} of equal weight'] * (
            equal > 1 and first
        )
    if draw.by_driver:
        among = 'by the driver'
    elif not set(chosen) & set(draw.hosts) and len(draw.hosts) == draw.count:
        return []
    else:
        among = 'of equal weight' if draw.count == equal else 'that came first'
    seed = '' if draw.seed is None else f', with seed {draw.seed}'
    return [f'drawn by chance from {draw.count} {among}{seed}']


def _simulated(decision: d.Decision) -> list[str]:
    """That it is no more than an answer, and to which question."""
    if not decision.simulated:
        return []
    changes = decision.by.get('changes', {})
    parts = []
    if 'filters' in changes:
        parts.append(f'filters {", ".join(changes["filters"]) or "none"}')
    parts += [
        f'{weigher} times {multiplier:g}'
        for weigher, multiplier in changes.get('multipliers', {}).items()
    ]
    told = f', with {"; ".join(parts)}' if parts else ''
    return [f'simulated{told}: nothing was claimed']


def _unread(decision: d.Decision) -> list[str]:
    """Hints that Nova has taken, and that decided nothing."""
    return [
        f'hint {hint} had no effect: nothing that is enabled reads it'
        for hint in decision.unread_hints or ()
    ]


def _limited(
    decision: d.Decision, counted: t.Tally, *, hosts: bool
) -> list[str]:
    """That hosts may have been left out, however it ended.

    :param hosts: say, too, what an operator can do to see which.
    """
    limit = second_look.limit_reached(decision.placement)
    again = decision.asked_again
    settled = again is not None and again.asked_for_more and not any(
        second_look.OR_CUT_OFF in group.reason for group in counted.groups
    )
    which = (
        '; to tell which, ask placement the same without limit, or raise '
        '[scheduler] max_placement_results'
    ) if hosts and not settled else ''
    return [
        f'placement gave {limit} candidates, all that max_placement_results '
        f'lets through: hosts that are not among them were not considered'
        f'{which}'
    ] if limit else []


def _why(decision: d.Decision) -> str:
    """What ended a request beside its hosts, after a comma."""
    told = clean(decision.message).removeprefix('No valid host was found. ')
    if decision.outcome == d.FAILED:
        return f', {told or "an error ended it"}'
    if not decision.outcome:
        # Of a log a note says so.
        return '' if _from_log(decision) else ', its end was not recorded'
    if decision.attempts or decision.operation == 'rebuild':
        return ''
    if told and _from_log(decision):
        return f', {told}'  # a log tells it, and not at which stage
    if decision.placement is not None:
        if not decision.placement.answered:
            return ', placement did not answer'
        none = decision.placement.offers_none
        return ', placement offered none' if none else ''
    if told or decision.absent:
        return f', refused before placement was asked ({told or "no reason"})'
    return ''


def _from_log(decision: d.Decision) -> bool:
    """Return whether a scheduler's log is all that the decision is from."""
    return decision.by.get('source') == 'log'


def _not_logged(decision: d.Decision) -> list[str]:
    """Say what a log does not tell of a request."""
    if not _from_log(decision):
        return []
    notes = [
        'read from a log: it counts hosts by filter; weights, claims, and '
        'most names and reasons are not in it'
    ]
    if not decision.outcome:
        notes.append(
            'how the request ended is not in the log: once it has placed '
            'several servers, Nova asks the filters again, for alternates'
        )
    return notes


def _hosts(counted: t.Tally) -> str:
    hosts = 'host' if counted.total == 1 else 'hosts'
    return f'{counted.total} {hosts} {counted.counted}'.rstrip()


def _listed(first: str, counted: t.Tally) -> str:
    """The beginning of a sentence and its groups, the last ones summed up."""
    groups = counted.groups
    shown = [clause(group) for group in groups]
    if len(groups) > REASONS:
        rest = groups[REASONS - 1:]
        count = sum(group.count for group in rest)
        shown[REASONS - 1:] = [f'{count} for {len(rest)} other reasons']
    return f'{first}: {", ".join(shown)}' if shown else first


def _notes(
    decision: d.Decision, counted: t.Tally, *, hosts: bool
) -> list[str]:
    by = decision.by
    parts = [decision.at, decision.request_id, decision.operation]
    if decision.topic != d.COMPUTE:
        parts.append(f'topic {decision.topic}')
    if by.get('driver'):
        parts.append(f'decided by {by["driver"]}')
    if by.get('host'):
        parts.append(f'on {by["host"]}')
    if by.get('configuration'):
        parts.append(f'configuration {by["configuration"]}')
    notes = [', '.join(part for part in parts if part)]
    notes += _not_logged(decision)
    notes += _simulated(decision)
    if decision.stages:
        spent = ', '.join(
            f'{stage} {seconds:.3f}'
            for stage, seconds in decision.stages.items()
        )
        notes.append(f'{decision.seconds:.3f} s: {spent}')
    notes += prefilters.told(decision)
    notes += _limited(decision, counted, hosts=hosts)
    notes += counterfactual.told(decision, counted)
    notes += missing_stats.told(counted)
    notes += _unread(decision)
    failed = decision.outcome not in (d.PLACED, d.PASSED)
    if failed and decision.placement and decision.placement.query:
        query = parse.unquote(decision.placement.query)
        pinned = decision.placement.fallback is not None
        second = ', and the same with VCPU in place of PCPU' * pinned
        notes.append(f'placement was asked {query}{second}')
    if decision.left_out:
        notes.append(
            f'too long to be kept whole; left out: '
            f'{", ".join(decision.left_out)}'
        )
    if decision.version > d.VERSION:
        notes.append(
            'recorded by a later nova-ext; what this one does not know is '
            'left out'
        )
    return [clean(note) for note in notes]
