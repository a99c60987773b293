"""List the published packages that bring filters for Nova."""

#: Package and dotted path of a filter, by its name.
FILTERS = {
    'BlazarFilter': (
        'blazar-nova',
        'blazarnova.scheduler.filters.blazar_filter.BlazarFilter',
    ),
    'FailureDomainFilter': (
        'nova-scheduler-filters',
        'nova_scheduler_filters.failure_domain_filter.FailureDomainFilter',
    ),
}
