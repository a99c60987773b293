"""Costly filters before cheap ones."""

from collections.abc import Iterator

from nova_ext.lint.checks import boot_calls
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options

COSTLY_FIRST = Kind(
    'NX104', Severity.INFO, 'a costly filter before a cheap one',
    'Nova asks the filters in this order, each about the hosts that the one '
    'before left. Fitting a server into a host\'s NUMA cells or PCI devices, '
    'or asking another service, takes many times as long as a look at the '
    'host\'s state.',
    'move it to the end of enabled_filters',
    '[filter_scheduler]\n'
    'enabled_filters = NUMATopologyFilter,ComputeFilter',
)
KINDS = (COSTLY_FIRST,)


def run(subject: Subject) -> Iterator[Finding]:
    """Find the costly filters that stand before the last cheap one."""
    costly = {
        name for name, known in plugins_and_options.FILTERS.items() if known.costly
    } | boot_calls.leaving(subject)
    cheap = [
        number for number, value in enumerate(subject.enabled)
        if value.text not in costly
        and value.text in {*subject.filters.names, *plugins_and_options.FILTERS}
    ]
    for number, value in enumerate(subject.enabled):
        if value.text in costly and cheap and number < cheap[-1]:
            after = [subject.enabled[at].text for at in cheap if at > number]
            yield COSTLY_FIRST.at(
                value.place,
                f'{value.text} is asked before {", ".join(after)}',
            )
