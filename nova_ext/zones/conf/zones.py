"""Declare group [nova_ext_zones]: this zone, its children, their polling."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_zones',
    title='Zones',
    help='What this zone says of itself, and how its child zones are '
         'reached. The child zones themselves are in the database: '
         '``openstack scheduler zone create`` adds one.',
)

OPTS = [
    cfg.StrOpt(
        'zone_name',
        default='nova',
        max_length=255,
        help="""
Name of this zone, which its parent zones see.
""",
    ),
    cfg.StrOpt(
        'zone_capabilities',
        default='',
        help="""
Capabilities of this zone, which its parent zones see: keys with one or several
values, such as ``hypervisor=kvm;xen, os=linux``.
""",
    ),
    cfg.BoolOpt(
        'enable_zone_routing',
        default=False,
        help="""
Route requests of parent zones for offers and servers to this zone's active
child zones, too, and include the child zones' capabilities in this zone's own.
If false, as in the zones of 2011, parent zones use only this zone's own hosts.
""",
    ),
    cfg.StrOpt(
        'zone_clouds_file',
        default='/etc/nova/zone-clouds.yaml',
        help="""
File in the form of clouds.yaml with the credentials for child zones. Each
child zone names an entry of it. A ``secure.yaml`` in the same folder is read,
too. A user's own clouds.yaml and ``OS_`` variables are ignored.
""",
    ),
    cfg.BoolOpt(
        'allow_http',
        default=False,
        help="""
Accept child zones with an ``http`` URL, for test labs. Tokens are sent
unencrypted then.
""",
    ),
    cfg.IntOpt(
        'interval_s',
        default=30,
        min=1,
        help="""
Interval, in seconds, at which nova-ext-zone-poller polls the child zones.
""",
    ),
    cfg.IntOpt(
        'time_limit_s',
        default=10,
        min=1,
        help="""
Timeout, in seconds, of a request to a child zone and its Keystone.
""",
    ),
    cfg.IntOpt(
        'offers_time_limit_s',
        default=20,
        min=3,
        max=60,
        help="""
Timeout, in seconds, of a request for offers to a child zone, its own child
zones included. Each level below has two seconds less. A child zone that is
slower takes no part in the build.
""",
    ),
    cfg.IntOpt(
        'ask_first',
        default=0,
        min=0,
        help="""
Number of child zones that are asked for offers at the same time, in the order
of ``weight_offset`` and name. The next ones are asked while there are fewer
offers than servers, and time is left. Zones that are not asked might have had
cheaper offers. 0: all child zones are asked at once.
""",
    ),
    cfg.IntOpt(
        'max_errors',
        default=3,
        min=1,
        help="""
Number of consecutive errors after which a child zone becomes inactive. With
the defaults, one lost answer does no harm, and a zone that is down becomes
inactive within about 100 s.
""",
    ),
]

#: Child zones are of no use without nova-ext-scheduler.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
