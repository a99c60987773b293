"""Weight multipliers whose sign turns a weigher round."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options

SIGN = Kind(
    'NX303', Severity.WARNING, 'a multiplier of the wrong sign',
    'Nova multiplies and adds: the other sign prefers the hosts that the '
    'weigher is there to avoid.',
    'change the sign',
    '[filter_scheduler]\nio_ops_weight_multiplier = 1.0',
)
AGAINST = Kind(
    'NX304', Severity.INFO, 'multipliers that work against each other',
    'Filling hosts up by one resource while spreading by another gives '
    'neither: the weights are added.',
    'give all of them one sign, or 0 to those that shall not count',
    '[filter_scheduler]\nram_weight_multiplier = -1.0',
)
NOT_WEIGHED = Kind(
    'NX305', Severity.WARNING, 'a multiplier without its weigher',
    'weight_classes does not bring the weigher, so the multiplier has no '
    'effect.',
    'add the weigher to weight_classes, or remove the multiplier',
    '[filter_scheduler]\n'
    'weight_classes = nova.scheduler.weights.cpu.CPUWeigher\n'
    'ram_weight_multiplier = 5.0',
)
KINDS = (SIGN, AGAINST, NOT_WEIGHED)

#: The sign that is wrong, and what it does.
_WRONG = {
    ('filter_scheduler', 'io_ops_weight_multiplier'):
        (1, 'prefers the hosts that are busiest with builds and migrations'),
    ('filter_scheduler', 'build_failure_weight_multiplier'):
        (-1, 'prefers the hosts on which builds failed'),
    ('filter_scheduler', 'cross_cell_move_weight_multiplier'):
        (-1, 'prefers moves into another cell'),
    ('filter_scheduler', 'hypervisor_version_weight_multiplier'):
        (-1, 'prefers the hosts with the oldest hypervisor'),
    ('nova_ext_specified_host', 'weight_multiplier'):
        (-1, 'keeps servers away from the host that they asked for'),
}

#: Multipliers that stack where negative and spread where positive.
_PACKING = (
    'ram_weight_multiplier', 'cpu_weight_multiplier', 'disk_weight_multiplier'
)


def run(subject: Subject) -> Iterator[Finding]:
    """Look at each multiplier that is set."""
    for (group, option), (sign, effect) in _WRONG.items():
        number = _number(subject, group, option)
        if number is not None and number * sign > 0:
            value = subject.configuration.last(group, option)
            assert value is not None  # noqa: S101  it has a number
            yield SIGN.at(
                value.place, f'{option} = {value.text} {effect}',
                f'write {-number:g}',
            )
    yield from _against(subject)
    yield from _not_weighed(subject)


def _against(subject: Subject) -> Iterator[Finding]:
    found = {
        option: _number(subject, 'filter_scheduler', option)
        for option in _PACKING
        if plugins_and_options.WEIGHERS_OF_OPTIONS[option] in subject.weighers.names
    }
    # Nova's default of each is 1.0.
    spreading = [name for name, number in found.items()
                 if number is None or number > 0]
    for option, number in found.items():
        if number is not None and number < 0 and spreading:
            value = subject.configuration.last('filter_scheduler', option)
            assert value is not None  # noqa: S101  it has a number
            yield AGAINST.at(
                value.place, f'{option} = {value.text} fills hosts up, '
                f'{", ".join(spreading)} spreads',
            )


def _not_weighed(subject: Subject) -> Iterator[Finding]:
    if subject.weighers.opaque:
        return
    for option, weigher in plugins_and_options.WEIGHERS_OF_OPTIONS.items():
        value = subject.configuration.last('filter_scheduler', option)
        if value and weigher not in subject.weighers.names:
            yield NOT_WEIGHED.at(
                value.place, f'{option} has no effect: weight_classes does '
                f'not bring {weigher}',
            )


def _number(subject: Subject, group: str, option: str) -> float | None:
    value = subject.configuration.last(group, option)
    try:
        return float(value.text) if value else None
    except ValueError:
        return None
