"""Group [nova_ext_services]: services that report their capabilities."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_services',
    title='Services of other topics',
    help='What the scheduler keeps of services that report to it.',
)

OPTS = [
    cfg.IntOpt(
        'down_after_s',
        default=150,
        min=1,
        help="""
Seconds after its last report at which a service counts as down. Services
report at least once a minute unless told otherwise; the default bears two
reports that are lost.
""",
    ),
    cfg.IntOpt(
        'max_services',
        default=10000,
        min=1,
        help="""
Services of all topics that are kept; a report of one more is refused and
logged. Bounds the memory that reports take: one of ten capabilities takes
about 2 KiB in each worker, and the largest that is taken, of 65,536
characters, about 64 KiB and as many objects as it has values.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
