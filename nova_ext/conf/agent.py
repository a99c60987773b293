"""Group [nova_ext_agent]: what nova-ext-agent pushes of its host."""

from oslo_config import cfg

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
Collectors, by name in the entry-point group ``nova_ext.collectors``, in the
order in which they are asked: a stat that one tells of is asked of no other.
""",
    ),
    cfg.IntOpt(
        'interval_s',
        default=60,
        min=1,
        help="""
Seconds between two measurements, each shortened by up to a quarter at random.
What has changed is pushed.
""",
    ),
    cfg.IntOpt(
        'full_interval_s',
        default=300,
        min=1,
        help="""
Seconds after which every stat is pushed, changed or not, and the schedulers
are asked anew which ones they need. Less than half of ``[nova_ext_stats]
max_age_s`` of the schedulers bears a push that is lost.
""",
    ),
    cfg.URIOpt(
        'node_exporter',
        schemes=['http', 'https'],
        help="""
Page of a node_exporter that runs on the host already,
``http://127.0.0.1:9100/metrics``: what it measures is not measured again.
""",
    ),
    cfg.StrOpt(
        'path',
        default='/var/lib/nova/instances',
        help="""
The folder whose free space is the stat ``ext:path_free_gb``.
""",
    ),
    cfg.StrOpt(
        'nic',
        default='',
        help="""
The network card whose speed is the stat ``ext:nic_speed_mbps``, such as
``eth0``. Empty: none.
""",
    ),
]

#: The agent reads them, whose stats nova-ext-scheduler alone hears.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
