"""Group [nova_ext_ip_scheduler]: which clients go to which hosts."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_ip_scheduler',
    title='IPScheduler',
    help='Groups of hosts by the address of the client.',
)

OPTS = [
    cfg.ListOpt(
        'rules',
        default=['10.1.0.0/16=doc', '10.2.0.0/16=ops'],
        help="""
Which hosts a client's servers go to: ``CIDR=prefix of the host name``, IPv4 or
IPv6; the longest network that holds the address wins. Malformed rules stop the
start of the scheduler.
""",
    ),
    cfg.StrOpt(
        'default_prefix',
        default='dev',
        help="""
Prefix of the host names for clients that no rule holds, and where the address
is absent or can't be read. An empty prefix allows every host.
""",
    ),
    cfg.StrOpt(
        'address_element',
        default='last',
        choices=[
            ('last', 'the one that the deployment\'s own proxy added'),
            ('first', 'the client\'s own claim, unless a proxy drops it'),
        ],
        help="""
Which element counts when the address is a list, as X-Forwarded-For is behind
several proxies.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
