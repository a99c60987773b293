"""Check the signs of weight multipliers, and that they have an effect."""

from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import scheduler_options

SIGN = Kind(
    'NX303', Severity.WARNING, 'a multiplier of the wrong sign',
    'Nova multiplies each weight by it. With this sign the weigher prefers '
    'the hosts that it is meant to avoid.',
    'change the sign',
    '[filter_scheduler]\nbuild_failure_weight_multiplier = -1.0',
)
AGAINST = Kind(
    'NX304', Severity.INFO, 'multipliers that work against each other',
    'Nova adds the weights. Packing servers by one resource and spreading '
    'them by another does neither.',
    'give all of them one sign, or 0 to those that should not count',
    '[filter_scheduler]\nram_weight_multiplier = -1.0',
)
NOT_WEIGHED = Kind(
    'NX305', Severity.WARNING, 'a multiplier without its weigher',
    'weight_classes does not provide the weigher, so the multiplier has no '
    'effect.',
    'add the weigher to weight_classes, or remove the multiplier',
    '[filter_scheduler]\n'
    'weight_classes = nova.scheduler.weights.cpu.CPUWeigher\n'
    'ram_weight_multiplier = 5.0',
)
KINDS = (SIGN, AGAINST, NOT_WEIGHED)

#: The wrong sign of a multiplier, and what it does. Of the others Nova's help
#: describes both signs.
_WRONG = {
    ('filter_scheduler', 'build_failure_weight_multiplier'):
        (-1, 'prefers the hosts on which builds failed'),
    ('nova_ext_specified_host', 'weight_multiplier'):
        (-1, 'keeps servers away from the host that they asked for'),
}

#: Multipliers that pack if negative and spread if positive.
_PACKING = (
    'ram_weight_multiplier', 'cpu_weight_multiplier', 'disk_weight_multiplier'
)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look at each multiplier that is set."""
    for (group, option), (sign, effect) in _WRONG.items():
        value, number = _read(subject, group, option)
        if value and number is not None and number * sign > 0:
            yield SIGN.at(
                value.location, f'{option} = {value.text} {effect}',
                f'write {option} = {-number:g}',
            )
    yield from _check_packing(subject)
    yield from _check_effect(subject)


def _check_packing(subject: Subject) -> Iterator[LintFinding]:
    multipliers = {
        option: _read(subject, 'filter_scheduler', option)
        for option in _PACKING
        if scheduler_options.WEIGHERS_OF_OPTIONS[option]
        in subject.weighers.names
    }
    # Nova's default of each is 1.0.
    spreading = [
        option for option, (_, number) in multipliers.items()
        if number is None or number > 0
    ]
    for option, (value, number) in multipliers.items():
        if value and number is not None and number < 0 and spreading:
            written = [
                f'{each} = {other.text if other else "1.0, its default,"}'
                for each in spreading for other, _ in [multipliers[each]]
            ]
            yield AGAINST.at(
                value.location, f'{option} = {value.text} packs servers onto '
                f'few hosts, and {" and ".join(written)} '
                f'{"spread" if len(written) > 1 else "spreads"} them',
            )


def _check_effect(subject: Subject) -> Iterator[LintFinding]:
    if subject.weighers.opaque:
        return
    for option, weigher in scheduler_options.WEIGHERS_OF_OPTIONS.items():
        value = subject.configuration.last('filter_scheduler', option)
        if value and weigher not in subject.weighers.names:
            yield NOT_WEIGHED.at(
                value.location, f'{option} has no effect: weight_classes '
                f'does not provide {weigher}',
            )


def _read(
    subject: Subject, group: str, option: str
) -> tuple[Value | None, float | None]:
    value = subject.configuration.last(group, option)
    try:
        return value, float(value.text) if value else None
    except ValueError:
        return value, None
