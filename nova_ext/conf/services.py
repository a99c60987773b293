"""Declare group [nova_ext_services]: services that report capabilities."""

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
Seconds after its last report at which a service counts as down. By default
services report at least once a minute, so that two lost reports do no harm.
""",
    ),
    cfg.IntOpt(
        'max_services',
        default=10000,
        min=1,
        help="""
Maximum number of services of all topics. Each host that runs nova-ext-agent
has one, of ``compute`` unless the agent is configured otherwise. A report of
one more is refused and logged. All reports together take at most 4 KiB of
memory for each of these services, in each worker; a report of ten capabilities
takes about 2 KiB. A report that exceeds this is refused and logged, as is a
report of ``compute`` about a host that Nova does not know.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = tuple(option.dest for option in OPTS)
