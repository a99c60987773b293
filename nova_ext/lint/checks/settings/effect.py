"""Find filters and settings that have no effect as they stand."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path

from nova_ext.lint.checks.settings import enabled_filters
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.listed_classes import is_class
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, scheduler_options

#: Nova's default of enabled_filters, and what each filter keeps.
_KEPT_BY_DEFAULT = {
    'ComputeFilter':
        'servers off hosts whose nova-compute is down or disabled',
    'ComputeCapabilitiesFilter':
        'flavors with capabilities in their extra specs on hosts that have '
        'them',
    'ImagePropertiesFilter':
        'images on hosts of their architecture, hypervisor and machine type',
    'ServerGroupAntiAffinityFilter':
        'servers of an anti-affinity group apart',
    'ServerGroupAffinityFilter': 'servers of an affinity group together',
}

NO_COMPUTE_FILTER = Kind(
    'NX105', Severity.WARNING, 'defaults dropped, ComputeFilter among them',
    'Servers are placed on hosts whose nova-compute is down, and fail there.',
    'add ComputeFilter to enabled_filters',
    '[filter_scheduler]\nenabled_filters = ImagePropertiesFilter',
)
NO_FILTER = Kind(
    'NX106', Severity.WARNING, 'an option without the filter that reads it',
    'No enabled filter reads the option, so it has no effect.',
    'enable the filter, or remove the option',
    '[filter_scheduler]\nisolated_hosts = secret-1\n'
    'enabled_filters = ComputeFilter',
)
NOT_ENABLED = Kind(
    'NX107', Severity.WARNING, 'a filter that is available but not enabled',
    'available_filters only says which filters can be enabled. Nova runs '
    'the filters of enabled_filters alone.',
    'add it to enabled_filters, or remove the line',
    '[filter_scheduler]\n'
    'available_filters = nova.scheduler.filters.all_filters\n'
    'available_filters = gpu.filters.GpuFilter',
)
COMPUTES = Kind(
    'NX108', Severity.WARNING, 'an option that only nova-compute reads',
    'nova-compute reports it to placement. Only nova-scheduler reads this '
    'file, so the option has no effect.',
    'move it to a nova.conf of the compute hosts',
    '# nova/nova-scheduler.conf\n[DEFAULT]\ncpu_allocation_ratio = 4.0',
)
_ENABLED = 'enabled_filters'
KINDS = (NO_COMPUTE_FILTER, NO_FILTER, NOT_ENABLED, COMPUTES)

#: What nova-compute alone reads, and says to placement.
_COMPUTES = re.compile(
    r'DEFAULT (initial_)?(cpu|ram|disk)_allocation_ratio'
    r'|DEFAULT reserved_(host_(cpus|memory_mb|disk_mb)|huge_pages)'
    r'|compute cpu_(dedicated|shared)_set'
)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Compare what is enabled with what is available and set."""
    yield from _check_service(subject)
    if subject.templated:
        return
    enabled = set(enabled_filters.list_meant(subject))
    if not subject.enabled:
        value = subject.configuration.last('filter_scheduler', _ENABLED)
        if value:
            yield NO_COMPUTE_FILTER.at(
                value.location, 'no filter is enabled, so every host that '
                f'placement offers passes; {_describe_dropped(enabled)}',
                subject.rewrite(
                    _ENABLED, plugins_and_options.DEFAULT_FILTERS
                ),
            )
    elif 'ComputeFilter' not in enabled:
        yield NO_COMPUTE_FILTER.at(
            subject.enabled[0].location,
            f'ComputeFilter is not enabled; {_describe_dropped(enabled)}',
        )
    for option, filters in scheduler_options.FILTERS_OF_OPTIONS.items():
        value = subject.configuration.last('filter_scheduler', option)
        if value and not set(filters) & enabled:
            yield NO_FILTER.at(
                value.location, f'{option} has no effect: '
                + (f'{filters[0]} is not enabled' if len(filters) == 1 else
                   f'neither {" nor ".join(filters)} is enabled'),
            )
    yield from _check_available(subject, enabled)


def _describe_dropped(enabled: Collection[str]) -> str:
    """Say what each default filter that is not enabled would keep."""
    return 'of Nova\'s defaults ' + ', '.join(
        f'{name} keeps {what}' for name, what in _KEPT_BY_DEFAULT.items()
        if name not in enabled
    )


def _check_available(
    subject: Subject, enabled: Collection[str]
) -> Iterator[LintFinding]:
    """Find available filters that are not enabled."""
    for value, names in subject.filters.lines:
        paths = [path for path in re.split(r'[,\s]+', value.text) if path]
        if len(paths) > 1:
            names = frozenset(
                path.rpartition('.')[2] for path in paths if is_class(path)
            )
        elif names is None or len(names) > 1:
            continue
        for name in sorted(names - set(enabled)):
            yield NOT_ENABLED.at(value.location, f'{name} is not enabled')


def _check_service(subject: Subject) -> Iterator[LintFinding]:
    """Find nova-compute's options in nova-scheduler's own files."""
    for (group, option), value in subject.configuration.settings():
        path = Path(value.location.file)
        if _COMPUTES.fullmatch(f'{group} {option}') and (
            path.name == 'nova-scheduler.conf'
            or path.parent.name == 'nova-scheduler.conf.d'
        ):
            yield COMPUTES.at(
                value.location, f'nova-scheduler does not read [{group}] '
                f'{option}, nova-compute does',
                'move it to nova.conf or nova/nova-compute.conf of '
                'kolla-ansible\'s folder'
                if subject.sources.layout == 'kolla' else '',
            )
