"""Name the reasons why Nova decides instead of the mirror.

The record, the metric's labels, the explanation and the documentation's table
are made from them. A new reason also needs a ``FallbackError`` where it is
found, with a test beside it. Some need a place in a list, too:

- ``tests/novas/mirror_share.py``, if a request of Nova's own tests has this
  reason and all is well. A reason that is not in it fails these tests.
- ``scheduler/what_if/replay/rolling/journal_day.py``, if the mirror had
  loaded and knew the request.
- ``etc/nova_ext/prometheus/alerts.yaml``, if an operator has to act.
"""

import enum


class Fallback(enum.StrEnum):
    """Name a reason.

    The value is its id: the record, ``mirror list`` and the metric have it.
    What varies with a request is a detail beside it, never part of it.

    :ivar text: says it in an explanation.
    :ivar cause: says when it comes, in the documentation.
    """

    text: str
    cause: str

    def __new__(cls, value: str, text: str, cause: str) -> 'Fallback':
        """Make a member of three texts."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.text, member.cause = text, cause
        return member

    # The mirror as a whole.
    NOT_LOADED = (
        'not_loaded', 'not loaded',
        'The first reading is not complete.',
    )
    TOO_OLD = (
        'too_old', 'too old',
        'The mirror is older than ``mirror_max_age_s``. Or hosts were read '
        'longer ago than ``service_down_time`` less ``report_interval``, 50 '
        'seconds by default, so that some that are up would look down. Or '
        'Nova would refuse more than 200 of the first hosts now. '
        'Capacity also: providers are left out whose last change was not read '
        'in that time.',
    )
    DIFFERED = (
        'differed', 'turned off: a decision differed from Nova\'s',
        'The worker held a decision of Nova\'s against the mirror, and it '
        'differed.',
    )
    CANDIDATE_FILTER = (
        'candidate_filter', 'a filter of allocation candidates',
        'A filter of another package is enabled that chooses among '
        'placement\'s candidates of a host (``CandidateFilterMixin``). The '
        'detail is its name.',
    )
    SHARED_PROVIDERS = (
        'shared_providers', 'shared providers',
        'The cloud has a provider that shares its resources.',
    )
    # What is requested.
    REBUILD = (
        'rebuild', 'rebuild server',
        'Nova asks some of its filters alone.',
    )
    FORCED_HOST = (
        'forced_host', 'forced host',
        'Nova runs no filter.',
    )
    NO_SERVERS = (
        'no_servers', 'a request without servers',
        'The request names no servers, as in the legacy form of the call.',
    )
    NUMA_TOPOLOGY = (
        'numa_topology', 'NUMA topology',
        'The flavor or the image asks for one.',
    )
    PCI_DEVICES = (
        'pci_devices', 'PCI devices',
        'The flavor or a port asks for some.',
    )
    REQUESTED_RESOURCES = (
        'requested_resources', 'resources of ports or devices',
        'Ports or accelerators bring resources of their own.',
    )
    PINNED_CPUS = (
        'pinned_cpus', 'pinned processors',
        'Nova asks placement twice.',
    )
    PREFILTER = (
        'prefilter', 'a prefilter',
        'One of Nova\'s ended the request before anything was decided.',
    )
    QUERY = (
        'query', 'an unknown part of the query to placement',
        'A granular group, for instance, or a trait with a name that no '
        'trait can have. The detail is its key.',
    )
    NO_RESOURCES = (
        'no_resources', 'no resources in the query to placement',
        'Placement refuses such a request.',
    )
    UNKNOWN_TRAIT = (
        'unknown_trait', 'a forbidden trait that no provider has',
        'Placement may not know it, and refuses the request then.',
    )
    PROVIDER_TREES = (
        'provider_trees', 'trees of providers',
        'Other providers in the trees of hosts have what is requested, too. '
        'Those that have none of it, such as PCI devices, and those of no '
        'host, do not matter.',
    )
    # The hosts that are found.
    MANY_HOSTS = (
        'many_hosts', 'more hosts than max_placement_results',
        'Only with ``mirror_sees_all_hosts = false``.',
    )
    NO_HOST = (
        'no_host', 'no host in the mirror fits',
        'The mirror finds none. Nova looks, and says so itself.',
    )
    SEVERAL_NODES = (
        'several_nodes', 'several nodes of one host',
        'They are among the hosts for a request that names a server group, '
        'or servers by a hint.',
    )
    UNREPORTED_SERVERS = (
        'unreported_servers', 'hosts that do not tell of their servers',
        'The request names a server group, or servers by a hint. nova-compute '
        'tells schedulers of its servers. Of up to 20 hosts that do not, they '
        'are read from the database, as Nova does. With '
        '``track_instance_changes = false`` no host tells.',
    )
    FILTER_PER_SERVER = (
        'filter_per_server', 'a filter that is asked about each server',
        'Capacity only: no column says what it answers for further servers.',
    )
    WRITING_PLUGIN = (
        'writing_plugin', 'a plugin that changes hosts or the request',
        'A filter or weigher of another package wrote to host states, but for '
        '``limits`` and ``allocation_candidates``, or to the request. Nova '
        'shows that to the plugins after it, and the mirror does not. The '
        'detail is its name.',
    )
    IRREGULAR_FILTER = (
        'irregular_filter', 'a filter that returns hosts twice, or others',
        'A filter of another package returned a host more than once, or one '
        'that it was not given. The detail is its name.',
    )
    INFINITE_WEIGHT = (
        'infinite_weight', 'a weight is not finite',
        'A weigher returned NaN or infinity.',
    )
    CLAIMS_REFUSED = (
        'claims_refused', 'claims were refused',
        'Placement refused claims on three hosts, and on one more for each '
        'ten servers of the request.',
    )
    ERROR = (
        'error', 'an error',
        'The mirror or a plugin raised one, which is in the log. The detail '
        'is its class.',
    )
    # Why a decision of Nova's is not compared with the mirror.
    UNKNOWN_SEED = (
        'unknown_seed', 'a draw without a known seed',
        'Nova\'s draw can\'t be repeated. Not compared only.',
    )
    UNREAD_HOSTS = (
        'unread_hosts', 'hosts that the mirror has not read',
        'Nova found hosts that are newer than the mirror. Not compared only.',
    )
    SERVICE_WENT_DOWN = (
        'service_went_down', 'a service that went down meanwhile',
        'Its last sign of life became too old between Nova\'s look at it and '
        'the mirror\'s. Not compared only.',
    )
    PLUGINS_CHANGED = (
        'plugins_changed', 'what plugins read changed meanwhile',
        'Nova\'s own filters and weighers answer otherwise a moment later. '
        'Not compared only.',
    )
    UNKNOWN = (
        'unknown', 'a reason that this version does not know',
        'Another version of nova-ext wrote the record. The detail is the id.',
    )

    @classmethod
    def parse(cls, value: str) -> 'Fallback':
        """Return the reason with an id; UNKNOWN where there is none."""
        return next((each for each in cls if each == value), cls.UNKNOWN)


class FallbackError(Exception):
    """Leave a request to Nova.

    :param detail: what varies with the request.
    """

    def __init__(self, fallback: Fallback, detail: str = '') -> None:
        super().__init__(format_fallback(fallback, detail))
        self.fallback = fallback
        self.detail = detail


def format_fallback(value: str, detail: str = '') -> str:
    """Return a reason in words, with its detail.

    :param value: the reason's id.
    """
    fallback = Fallback.parse(value)
    if fallback is Fallback.UNKNOWN:
        detail = detail or value
    return f'{fallback.text}: {detail}' if detail else fallback.text
