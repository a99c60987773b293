"""Declare group [nova_ext_agent]: the stats of a compute host."""

from oslo_config import cfg

from nova_ext.core.stats.capabilities import HOST_SERVICES

GROUP = cfg.OptGroup(
    'nova_ext_agent',
    title='The agent on a compute host',
    help='What nova-ext-agent measures and pushes.',
)

OPTS = [
    cfg.ListOpt(
        'collectors',
        default=[
            'NodeExporterCollector', 'LoadCollector', 'FreeSpaceCollector',
            'NicSpeedCollector',
        ],
        help="""
Collectors, each a name in the entry-point group ``nova_ext.collectors``. If
several provide a stat, the first one in the list wins.
""",
    ),
    cfg.ListOpt(
        'services',
        default=['compute'],
        item_type=cfg.types.String(choices=list(HOST_SERVICES)),
        help="""
Services for which the agent reports the host's capabilities ``cpu``, ``disk``
and ``network``: ``compute``, ``volume`` or ``network``. ``openstack scheduler
zone info`` shows the minimum and the maximum of all hosts. If the list is
empty, the agent reports no capabilities.
""",
    ),
    cfg.IntOpt(
        'interval_s',
        default=60,
        min=1,
        help="""
Interval, in seconds, between two measurements. Each interval is shortened at
random by up to a quarter. After a measurement the agent pushes the stats that
the schedulers need, and reports capabilities. Keep it below half of the
schedulers' ``[nova_ext_services] down_after_s`` and ``[nova_ext_stats]
max_age_s``, so that one lost push does no harm.
""",
    ),
    cfg.IntOpt(
        'ask_interval_s',
        default=300,
        min=1,
        help="""
Interval, in seconds, at which the agent asks the schedulers which stats they
need.
""",
    ),
    cfg.URIOpt(
        'node_exporter',
        schemes=['http', 'https'],
        help="""
URL of the metrics page of a node_exporter on this host, such as
``http://127.0.0.1:9100/metrics``. The agent takes the exporter's values and
does not measure them itself.
""",
    ),
    cfg.StrOpt(
        'path',
        default='/var/lib/nova/instances',
        help="""
Directory whose free space is reported as the stat ``ext:path_free_gb``.
""",
    ),
    cfg.StrOpt(
        'nic',
        default='',
        help="""
Network interface, such as ``eth0``, whose speed is reported as the stat
``ext:nic_speed_mbps``. If it is empty, the stat is not reported.
""",
    ),
]

#: Only nova-ext-scheduler receives the stats that the agent pushes.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
