"""Declare group [nova_ext_builds]: how builds over zones are carried out."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_builds',
    title='Builds over zones',
    help='How nova-ext-builder carries builds out. The builders of the zone '
         'in which a build was created read it, and nova-ext-api there. '
         'nova-ext-api of child zones reads clock_margin_s.',
)

OPTS = [
    cfg.IntOpt(
        'build_timeout_s',
        default=1800,
        min=30,
        max=86400,
        help="""
Seconds after the creation of a build in which its servers have to become
ACTIVE. Later, servers that are not ACTIVE are deleted and not replaced. The
default leaves time for large images, and for a second attempt after an offer
of 300 s has expired.
""",
    ),
    cfg.IntOpt(
        'plan_limit_s',
        default=45,
        min=10,
        max=3600,
        help="""
Seconds in which ``POST /v1/builds`` requests offers from zones. If there are
offers for ``min_count`` servers by then, these are built. Each request is for
up to 100 servers. The timeout of a proxy in front of nova-ext-api has to be
15 s longer.
""",
    ),
    cfg.IntOpt(
        'max_servers_per_project',
        default=1000,
        min=1,
        help="""
Maximum number of servers that all builds of a project plan, or create at the
same time. A build that would exceed it is refused with 403. The zone in which
builds are created counts; child zones don't count what they offer to it. The
default allows one build of the largest size.
""",
    ),
    cfg.IntOpt(
        'poll_interval_s',
        default=3,
        min=1,
        max=300,
        help="""
Interval, in seconds, at which a builder reads the states of a build's servers.
It sends one or two requests to each zone, for any number of servers.
""",
    ),
    cfg.IntOpt(
        'builds_at_once',
        default=8,
        min=1,
        max=64,
        help="""
Maximum number of builds that one builder works on at the same time. Other
builds wait, or another builder takes them.
""",
    ),
    cfg.IntOpt(
        'servers_at_once',
        default=10,
        min=1,
        max=100,
        help="""
Maximum number of servers that one builder creates at the same time, in all of
its builds. Each is one request to Nova or to a child zone.
""",
    ),
    cfg.IntOpt(
        'lease_s',
        default=60,
        min=10,
        max=3600,
        help="""
Seconds after a builder's last heartbeat when another builder takes over its
builds. The clocks of all builders must agree to within this time.
""",
    ),
    cfg.IntOpt(
        'send_limit_s',
        default=60,
        min=5,
        max=300,
        help="""
Seconds to wait for an answer to the request that creates a server. On timeout
the server is marked ``unknown`` and looked up later.
""",
    ),
    cfg.IntOpt(
        'unknown_s',
        default=900,
        min=60,
        help="""
Seconds after which a build stops waiting for a server in state ``unknown``.
The server is reported and never replaced, because it may exist. The default is
three times the lifetime of an offer.
""",
    ),
    cfg.IntOpt(
        'clock_margin_s',
        default=5,
        min=0,
        max=300,
        help="""
Maximum difference, in seconds, between the clocks of one zone's hosts. An
offer counts as expired this much later. nova-ext-api reads this option, too.
""",
    ),
]

#: Builds are of no use without nova-ext-scheduler.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
