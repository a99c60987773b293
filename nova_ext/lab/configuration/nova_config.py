"""Write the lab's nova.conf."""

from collections.abc import Mapping

from nova_ext.lab.configuration import broker, config, zone_config
from nova_ext.lab.state.lab_state import NONE, State
from nova_ext.lab.state.paths import LabFolder

#: The host that Nova takes its services but the computes to be on.
CONTROL_HOST = 'lab'

_POLICY = 'etc/nova/nova-ext-policy.yaml'

POOL_SIZE = 'DEFAULT.executor_thread_pool_size'

AVAILABLE_FILTERS = 'nova_ext.scheduler.filters.all_filters'
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
    lab: LabFolder, state: State, ports: Mapping[str, str]
) -> config.Files:
    """Return Nova's files.

    :param ports: the name of the port of each service that Nova asks, by
        its section of nova.conf.
    """
    return {
        'etc/nova/nova.conf': config.render(
            build_sections(lab, state, ports)
        ),
        'etc/nova/api-paste.ini': config.read_shipped_file(
            'nova', 'api-paste.ini'
        ),
        _POLICY:
            '# Everybody may name the host of a new server in a lab.\n'
            '"nova_ext:requested_host": "@"\n',
    }


def build_sections(
    lab: LabFolder, state: State, ports: Mapping[str, str]
) -> config.Sections:
    """Return all options of nova.conf, the user's last."""
    result = {
        **_base_sections(lab, state),
        **{
            section: {
                **config.credential_options(state, 'nova'),
                'endpoint_override': state.url(port),
                # A service closes a connection that was idle, even if a
                # request is on its way.
                'connect_retries': 3,
            }
            for section, port in ports.items()
        },
        **_scheduler_sections(lab, state),
    }
    if state.zone is not None:
        for group, options in zone_config.build_sections(
            lab, state, state.zone
        ).items():
            result.setdefault(group, {}).update(options)
    for name, values in state.settings.items():
        group, _, option = name.partition('.')
        result.setdefault(group, {})[option] = values
    return result


def list_default_filters(state: State) -> tuple[str, ...]:
    """Return the filters that are enabled where no setting names others."""
    if state.zone is None:
        return ENABLED_FILTERS
    return (*ENABLED_FILTERS, 'OfferFilter')


def thread_pool_size(state: State) -> int:
    """Return how many requests a scheduler works on at a time.

    Nova's default of 64 would put servers that are booted at once on the
    same free host.
    """
    return int(state.settings.get(POOL_SIZE, ['2'])[-1])


def _base_sections(lab: LabFolder, state: State) -> config.Sections:
    folder = config.escape(lab.path)
    return {
        'DEFAULT': {
            'host': CONTROL_HOST,
            'my_ip': '127.0.0.1',
            'transport_url': _build_transport_url(state),
            'compute_driver': 'nova_ext_lab.LabDriver',
            'state_path': config.escape(lab.path / 'state'),
            # Names the servers of a request to explain --log, too.
            'debug': True,
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
        'api_database': {'connection': config.database_url(lab, 'nova_api')},
        'database': {'connection': config.database_url(lab, 'nova')},
        'wsgi': {
            'api_paste_config': f'{folder}/etc/nova/api-paste.ini',
        },
        'keystone_authtoken': config.authtoken_options(state, 'nova'),
        'service_user': {
            **config.credential_options(state, 'nova'),
            'send_service_user_token': True,
        },
        'oslo_concurrency': {'lock_path': config.escape(lab.locks)},
        'oslo_messaging_notifications': {'driver': 'noop'},
        # A broker that restarts would lose messages, and Nova would wait
        # for the answers forever.
        'oslo_messaging_rabbit': {'amqp_durable_queues': True},
        'oslo_middleware': {'enable_proxy_headers_parsing': True},
        'vnc': {'enabled': False},
        'cache': {'enabled': True, 'backend': 'oslo_cache.dict'},
        'quota': dict.fromkeys(_QUOTAS, -1),
        'conductor': {'workers': 1},
        'scheduler': {'workers': 1},
    }


def _build_transport_url(state: State) -> str:
    if state.broker == NONE:
        # oslo.messaging's bus inside one process has no address; the
        # template in the mapping of the cell needs one.
        return 'fake://broker:none@127.0.0.1:1/'
    return config.escape(broker.build_url(state))


def _scheduler_sections(lab: LabFolder, state: State) -> config.Sections:
    group: dict[str, config.Value] = {
        'available_filters': AVAILABLE_FILTERS,
        'enabled_filters': ','.join(list_default_filters(state)),
    }
    if not state.stock:
        group['weight_classes'] = WEIGHT_CLASSES
    return {
        'filter_scheduler': group,
        'nova_ext': {'policy_file': config.escape(lab.path / _POLICY)},
        'nova_ext_database': {
            'connection': config.database_url(lab, 'nova_ext'),
        },
        'nova_ext_record': {
            'file': config.escape(lab.record), 'successes_in_full': True,
            # A lab has few hosts, and is asked the same again and again.
            'ask_again_every_s': 1,
        },
    }


_QUOTAS = (
    'instances', 'cores', 'ram', 'key_pairs', 'server_groups',
    'server_group_members',
)

# Libraries, and parts of Nova that log at DEBUG for every host and request.
# Without those lines a hundred hosts answer in half the time.
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
