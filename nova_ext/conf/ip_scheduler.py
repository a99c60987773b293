"""Declare group [nova_ext_ip_scheduler]: hosts by the client's address."""

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
Rules that map a client's address to hosts, each ``CIDR=prefix of the host
name``, for IPv4 or IPv6. The longest network that contains the address wins.
The scheduler refuses to start if a rule is malformed.
""",
    ),
    cfg.StrOpt(
        'default_prefix',
        default='dev',
        help="""
Prefix of the host names for clients whose address matches no rule, is absent
or can't be parsed. An empty prefix allows every host.
""",
    ),
    cfg.StrOpt(
        'address_element',
        default='last',
        choices=[
            ('last', 'the address that the deployment\'s own proxy added'),
            ('first', 'the client\'s own claim, unless a proxy drops it'),
        ],
        help="""
Which address to use if X-Forwarded-For has several, as it does behind several
proxies.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
