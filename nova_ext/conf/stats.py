"""Group [nova_ext_stats]: stats that are pushed of hosts."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_stats',
    title='Stats of hosts',
    help='What the scheduler keeps of stats that are pushed to it.',
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
are refused and logged. Bounds the memory of each scheduler worker.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
RUNG_2 = tuple(option.dest for option in OPTS)
