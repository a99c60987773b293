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
File in the form of clouds.yaml with the credentials for child zones. A zone
names its entry there. A ``secure.yaml`` in the same folder is read, too. No
files of users are read, and no variables of the environment.
""",
    ),
    cfg.BoolOpt(
        'allow_http',
        default=False,
        help="""
Accept child zones with an ``http`` URL, for a laboratory. Tokens travel
unencrypted then.
""",
    ),
    cfg.IntOpt(
        'interval_s',
        default=30,
        min=1,
        help="""
Seconds from one round of nova-ext-zone-poller to the next.
""",
    ),
    cfg.IntOpt(
        'time_limit_s',
        default=10,
        min=1,
        help="""
Seconds in which a child zone has to answer, its Keystone included.
""",
    ),
    cfg.IntOpt(
        'offers_time_limit_s',
        default=20,
        min=3,
        max=60,
        help="""
Seconds in which a child zone has to answer a question for offers, its own
child zones included. Each level below has two seconds less. A child zone that
is slower has no part in the build.
""",
    ),
    cfg.IntOpt(
        'ask_first',
        default=0,
        min=0,
        help="""
Number of child zones that are asked for offers before others are: those with
the least ``weight_offset``, then by name. While there are fewer offers than
servers as many others are asked, as long as there is time. What the others
would have offered may cost less. 0: all are asked at once.
""",
    ),
    cfg.IntOpt(
        'max_errors',
        default=3,
        min=1,
        help="""
Number of errors in a row with which a child zone becomes inactive. With the
defaults one lost answer does no harm, and a zone that is down becomes inactive
within about 100 s.
""",
    ),
]

#: Child zones are of no use without nova-ext-scheduler.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
