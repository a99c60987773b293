"""The lab's nova.conf."""

from collections.abc import Mapping

from nova_ext.lab.configuration import broker, config, ini
from nova_ext.lab.state.lab_state import NONE, State
from nova_ext.lab.state.paths import Place

#: Nova's own host name for what is no compute.
CONTROL_HOST = 'lab'

_POLICY = 'etc/nova/nova-ext-policy.yaml'

POOL_SIZE = 'DEFAULT.executor_thread_pool_size'

AVAILABLE_FILTERS = 'nova_ext.scheduler.filters.all_filters'
#: nova-ext's, which in a lab takes files to try.
MANAGER = 'nova_ext.lab.trial.trial_manager.TrialManager'
#: Ours, and those that Nova wants to see by name for soft server groups.
WEIGHT_CLASSES = ','.join((
    'nova_ext.scheduler.weights.all_weighers',
    'nova.scheduler.weights.affinity.ServerGroupSoftAffinityWeigher',
    'nova.scheduler.weights.affinity.ServerGroupSoftAntiAffinityWeigher',
))

#: Nova's default, and ours.
ENABLED_FILTERS = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    'SpecifiedHostFilter',
)


def configure(
    place: Place, state: State, neighbours: Mapping[str, str]
) -> config.Files:
    """Return Nova's files.

    :param neighbours: port of each service that Nova asks, by the section
        of nova.conf that says how.
    """
    return {
        'etc/nova/nova.conf': ini.render(sections(place, state, neighbours)),
        'etc/nova/api-paste.ini': config.shipped('nova', 'api-paste.ini'),
        _POLICY:
            '# Everybody may name the host of a new server in a lab.\n'
            '"nova_ext:requested_host": "@"\n',
    }


def sections(
    place: Place, state: State, neighbours: Mapping[str, str]
) -> ini.Sections:
    """Return all options of nova.conf, the user's last."""
    result = {
        **_own(place, state),
        **_identity(state),
        **{
            section: {
                **config.credentials(state, 'nova'),
                'endpoint_override': state.url(port),
            }
            for section, port in neighbours.items()
        },
        **_scheduler(place, state),
    }
    for name, values in state.settings.items():
        group, _, option = name.partition('.')
        result.setdefault(group, {})[option] = values
    return result


def requests_at_a_time(state: State) -> int:
    """Return how many requests a scheduler works on at a time.

    The 64 that are usual would all see the same free host, and pile on it
    what comes at the same moment.
    """
    return int(state.settings.get(POOL_SIZE, ['2'])[-1])


def _own(place: Place, state: State) -> ini.Sections:
    folder = ini.literal(place.folder)
    return {
        'DEFAULT': {
            'host': CONTROL_HOST,
            'my_ip': '127.0.0.1',
            'transport_url': _transport(state),
            'compute_driver': 'nova_ext_lab.LabDriver',
            'state_path': ini.literal(place.folder / 'state'),
            # Names the servers of a request to explain --log, too.
            'debug': True,
            # What a process writes there is its log.
            'use_stderr': True,
            'default_log_levels': ','.join(_LOG_LEVELS),
            # Late answers of a busy machine must not take hosts out.
            'service_down_time': 180,
            'rpc_response_timeout': 180,
            'report_interval': 30,
            'periodic_fuzzy_delay': 0,
            'graceful_shutdown_timeout': 60,
            'manager_shutdown_timeout': 50,
        },
        'api': {'auth_strategy': 'keystone'},
        'api_database': {'connection': config.database(place, 'nova_api')},
        'database': {'connection': config.database(place, 'nova')},
        'wsgi': {
            'api_paste_config': f'{folder}/etc/nova/api-paste.ini',
        },
        'oslo_concurrency': {'lock_path': ini.literal(place.locks)},
        'oslo_messaging_notifications': {'driver': 'noop'},
        # What waits in a broker that restarts would be lost, and Nova would
        # wait for it forever.
        'oslo_messaging_rabbit': {'amqp_durable_queues': True},
        'oslo_middleware': {'enable_proxy_headers_parsing': True},
        'vnc': {'enabled': False},
        'cache': {'enabled': True, 'backend': 'oslo_cache.dict'},
        'quota': dict.fromkeys(_QUOTAS, -1),
        'conductor': {'workers': 1},
        'scheduler': {'workers': 1},
    }


def _transport(state: State) -> str:
    if state.broker == NONE:
        # oslo.messaging's own bus inside one process, which has no address:
        # this one is for the template in the mapping of the cell.
        return 'fake://broker:none@127.0.0.1:1/'
    return ini.literal(broker.url(state))


def _identity(state: State) -> ini.Sections:
    return {
        'keystone_authtoken': config.authtoken(state, 'nova'),
        'service_user': {
            **config.credentials(state, 'nova'),
            'send_service_user_token': True,
        },
    }


def _scheduler(place: Place, state: State) -> ini.Sections:
    group: dict[str, ini.Value] = {
        'available_filters': AVAILABLE_FILTERS,
        'enabled_filters': ','.join(ENABLED_FILTERS),
    }
    if not state.stock:
        group['weight_classes'] = WEIGHT_CLASSES
    return {
        'filter_scheduler': group,
        'nova_ext': {'policy_file': ini.literal(place.folder / _POLICY)},
        'nova_ext_database': {
            'connection': config.database(place, 'nova_ext'),
        },
        'nova_ext_record': {
            'file': ini.literal(place.record), 'successes_in_full': True,
        },
    }


_QUOTAS = (
    'instances', 'cores', 'ram', 'key_pairs', 'server_groups',
    'server_group_members',
)

# Libraries, and parts of Nova that tell at DEBUG what nobody asks a lab, for
# every host and every request: with them a hundred hosts answer in half the
# time without.
_LOG_LEVELS = (
    'amqp=WARN', 'dogpile.core.dogpile=INFO', 'iso8601=WARN',
    'keystoneauth=WARN', 'keystonemiddleware=ERROR', 'oslo.cache=INFO',
    'oslo.messaging=INFO', 'oslo.service=INFO', 'oslo_concurrency=INFO',
    'oslo_messaging=INFO', 'oslo_policy=INFO', 'oslo_service=INFO',
    'requests=WARN', 'routes.middleware=WARN', 'sqlalchemy=WARN',
    'stevedore=CRITICAL', 'urllib3=WARN', 'waitress=ERROR',
    'nova.compute.provider_tree=INFO', 'nova.compute.resource_tracker=INFO',
    'nova.scheduler.client.report=INFO', 'nova.scheduler.host_manager=INFO',
    'nova.virt.hardware=INFO',
)
