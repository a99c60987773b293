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
Seconds from the creation of a build in which its servers have to be ACTIVE.
One that is not is deleted then, and no other is created in its place. The
default leaves room for a second attempt after an offer of 300 s has expired,
and for large images.
""",
    ),
    cfg.IntOpt(
        'plan_limit_s',
        default=45,
        min=10,
        max=3600,
        help="""
Seconds in which ``POST /v1/builds`` asks zones for offers. What was offered
until then is built, if ``min_count`` servers or more were. Zones are asked for
100 servers at a time. A proxy before nova-ext-api has to wait 15 s longer.
""",
    ),
    cfg.IntOpt(
        'poll_interval_s',
        default=3,
        min=1,
        max=300,
        help="""
Seconds from one look at a build's servers to the next. Each look is a request
or two for each zone, however many servers it has there.
""",
    ),
    cfg.IntOpt(
        'builds_at_once',
        default=8,
        min=1,
        max=64,
        help="""
Number of builds that one builder works on at one time. Others wait, or another
builder takes them.
""",
    ),
    cfg.IntOpt(
        'servers_at_once',
        default=10,
        min=1,
        max=100,
        help="""
Number of servers that one builder has created side by side, of all its builds
together. Each is a request to Nova or to a child zone, and takes as long as
that one.
""",
    ),
    cfg.IntOpt(
        'lease_s',
        default=60,
        min=10,
        max=3600,
        help="""
Seconds after its last sign of life in which a builder still owns its builds.
Another builder takes them over then. The clocks of all builders have to differ
by less.
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
Seconds after which a build no longer waits for what became of a server whose
request was not answered. It is reported, and never replaced: the server may
be there. The default is three lives of an offer.
""",
    ),
    cfg.IntOpt(
        'clock_margin_s',
        default=5,
        min=0,
        max=300,
        help="""
Seconds by which the clocks of one zone's hosts may differ. An offer counts as
expired as much later. nova-ext-api reads this option, too.
""",
    ),
]

#: Builds are of no use without nova-ext-scheduler.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
