"""Group [nova_ext_stats]: stats that are pushed of hosts."""

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
Seconds for which a stat is believed; an older one counts as absent. The
default bears the loss of one update from programs that send all stats every
five minutes.
""",
    ),
    cfg.IntOpt(
        'max_hosts',
        default=10000,
        min=1,
        help="""
Hosts and nodes of which stats are kept, up to 128 of each; those of one more
are refused and logged, as are those of hosts and nodes that Nova does not
have. Bounds the memory of each scheduler worker.
""",
    ),
    cfg.ListOpt(
        'names',
        default=[],
        help="""
Stats that flavors and users may ask for, ``stats:NAME`` in an extra spec or a
hint: names of fields of Nova's compute node, and others without their
``ext:``. Where StatsFilter or StatsWeigher is loaded, programs on the hosts
are told to push them; a request for any other stat fits no host. Empty: none,
so that nothing is pushed for nobody.
""",
    ),
    cfg.FloatOpt(
        'weight_multiplier',
        default=1.0,
        help="""
Multiplier of StatsWeigher, which prefers hosts far on the side that a
requirement such as ``stats:load1='<= 8'`` asks for. A negative value fills up
to the bound instead; 0 turns the weigher off. It weighs nothing for requests
that ask for no stat. The metadata key ``stats_weight_multiplier`` of an
aggregate overrides it for the aggregate's hosts.
""",
    ),
]

#: Options of no use without nova-ext-scheduler, which alone hears stats.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
