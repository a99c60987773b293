"""Declare group [nova_ext_stats]: stats that programs push of hosts."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_stats',
    title='Stats of hosts',
    help='Stats that are pushed to the scheduler, and who may use them.',
)

OPTS = [
    cfg.IntOpt(
        'max_age_s',
        default=660,
        min=1,
        help="""
Seconds for which a stat is used. An older one counts as absent. With the
default one lost update does no harm where programs send all stats every five
minutes.
""",
    ),
    cfg.IntOpt(
        'max_hosts',
        default=10000,
        min=1,
        help="""
Maximum number of hosts and nodes whose stats are kept, up to 128 stats of
each. Stats of one more are refused and logged, and so are those of hosts and
nodes that Nova does not have. This bounds the memory of each scheduler worker.
""",
    ),
    cfg.ListOpt(
        'names',
        default=[],
        help="""
Stats that flavors and users may require, with ``stats:NAME`` in an extra spec
or a hint. They are names of fields of Nova's compute node, and others without
their ``ext:``. Where StatsFilter or StatsWeigher is loaded, programs on the
hosts are asked to push them. A request for any other stat fits no host. The
default is empty, so that no stat is pushed that nobody uses.
""",
    ),
    cfg.FloatOpt(
        'weight_multiplier',
        default=1.0,
        help="""
Multiplier of StatsWeigher. It prefers the hosts that meet a requirement, such
as ``stats:load1='<= 8'``, by the widest margin. A negative value prefers those
closest to the bound, and 0 turns the weigher off. Requests without such a
requirement are not weighed. The metadata key ``stats_weight_multiplier`` of an
aggregate overrides it for the aggregate's hosts.
""",
    ),
]

#: Options of no use without nova-ext-scheduler, which alone receives stats.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
