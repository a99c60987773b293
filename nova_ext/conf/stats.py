"""Declare group [nova_ext_stats]: stats that are pushed to the scheduler."""

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
Maximum age, in seconds, of a stat. An older stat counts as absent. The default
tolerates one lost update if programs push their stats every five minutes.
""",
    ),
    cfg.IntOpt(
        'max_hosts',
        default=10000,
        min=1,
        help="""
Maximum number of hosts and nodes whose stats are kept, each with up to 128
stats. Stats of further hosts are refused and logged, as are stats of hosts and
nodes that Nova does not know. This limits the memory of each scheduler worker.
""",
    ),
    cfg.ListOpt(
        'names',
        default=[],
        help="""
Stats that flavors and users can require, with ``stats:NAME`` in an extra spec
or a hint. Name fields of Nova's compute node as they are, and other stats
without ``ext:``. If StatsFilter or StatsWeigher is loaded, the scheduler asks
programs on the hosts to push these stats. A request for any other stat fits no
host. The default is empty, so that no unused stat is pushed.
""",
    ),
    cfg.FloatOpt(
        'weight_multiplier',
        default=1.0,
        help="""
Multiplier of StatsWeigher. It prefers the hosts that meet a requirement, such
as ``stats:load1='<= 8'``, by the widest margin. A negative value prefers the
hosts closest to the limit. 0 turns the weigher off. The weigher has no effect
on requests without such a requirement. The metadata key
``stats_weight_multiplier`` of an aggregate overrides this option for the
aggregate's hosts.
""",
    ),
]

#: Only nova-ext-scheduler receives stats; without it the options do nothing.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
