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
several provide a stat, the first one in the list does.
""",
    ),
    cfg.ListOpt(
        'services',
        default=['compute'],
        item_type=cfg.types.String(choices=list(HOST_SERVICES)),
        help="""
Services of this host that have its capabilities ``cpu``, ``disk`` and
``network``: ``compute``, ``volume``, ``network``. The zone shows the least and
the greatest of all hosts, see ``openstack scheduler zone info``. If it is
empty, none are reported.
""",
    ),
    cfg.IntOpt(
        'interval_s',
        default=60,
        min=1,
        help="""
Seconds between two measurements, each time shortened by up to a quarter at
random. The stats that schedulers need are pushed, and capabilities reported.
Keep it below half of ``[nova_ext_services] down_after_s`` and
``[nova_ext_stats] max_age_s`` of the schedulers: then one lost push does no
harm.
""",
    ),
    cfg.IntOpt(
        'ask_interval_s',
        default=300,
        min=1,
        help="""
Seconds after which the schedulers are asked again which stats they need.
""",
    ),
    cfg.URIOpt(
        'node_exporter',
        schemes=['http', 'https'],
        help="""
URL of the page of a node_exporter that runs on the host, such as
``http://127.0.0.1:9100/metrics``. What it measures is not measured again.
""",
    ),
    cfg.StrOpt(
        'path',
        default='/var/lib/nova/instances',
        help="""
Folder whose free space is the stat ``ext:path_free_gb``.
""",
    ),
    cfg.StrOpt(
        'nic',
        default='',
        help="""
Network card whose speed is the stat ``ext:nic_speed_mbps``, such as ``eth0``.
If it is empty, there is no such stat.
""",
    ),
]

#: The agent reads them, whose stats nova-ext-scheduler alone receives.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
