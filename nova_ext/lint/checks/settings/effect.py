"""Find filters and settings that have no effect as they stand."""

import re
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import plugins_and_options, scheduler_options

NO_COMPUTE_FILTER = Kind(
    'NX105', Severity.WARNING, 'ComputeFilter is not enabled',
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
_ENABLED = 'enabled_filters'
KINDS = (NO_COMPUTE_FILTER, NO_FILTER, NOT_ENABLED)


def run(subject: Subject) -> Iterator[Finding]:
    """Compare what is enabled with what is available and set."""
    if subject.templated:
        return
    enabled = {value.text for value in subject.enabled}
    if not subject.enabled:
        value = subject.configuration.last('filter_scheduler', _ENABLED)
        if value:
            yield NO_COMPUTE_FILTER.at(
                value.location, 'no filter is enabled, so every host that '
                'placement offers passes',
                subject.rewrite(
                    _ENABLED, plugins_and_options.DEFAULT_FILTERS
                ),
            )
    elif not any(
        find_closest(word, ['ComputeFilter'])
        for name in enabled for word in re.split(r'[\s.]+', name)
    ):
        yield NO_COMPUTE_FILTER.at(
            subject.enabled[0].location, 'ComputeFilter is not enabled'
        )
    for option, filters in scheduler_options.FILTERS_OF_OPTIONS.items():
        value = subject.configuration.last('filter_scheduler', option)
        if value and not set(filters) & enabled:
            yield NO_FILTER.at(
                value.location, f'{option} has no effect: '
                f'{" or ".join(filters)} is not enabled',
            )
    for value, names in subject.filters.lines:
        if names is not None and len(names) == 1 and not names & enabled:
            yield NOT_ENABLED.at(
                value.location, f'{", ".join(names)} is not enabled'
            )
