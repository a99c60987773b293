"""Declare group [nova_ext_record]: the record of decisions."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_record',
    title='Decision record',
    help='The record of decisions that nova-ext explain reads.',
)

OPTS = [
    cfg.BoolOpt(
        'enabled',
        default=True,
        help="""
Record every decision. Recording never changes or fails a decision, and no
decision waits for the file. Decisions that can't be written are dropped and
counted.
""",
    ),
    cfg.StrOpt(
        'file',
        default='$state_path/nova-ext/decisions.jsonl',
        help="""
Path of the record, one JSON object a line. All scheduler workers of this host
share it. Its folder is created if it is absent.
""",
    ),
    cfg.BoolOpt(
        'successes_in_full',
        default=False,
        help="""
Record successes in full, as failures are: with every rejected host and every
weight. Use it to test plugins. If false, a success takes 3 to 4 KiB,
regardless of the number of hosts.
""",
    ),
    cfg.IntOpt(
        'ask_again_every_s',
        default=60,
        min=0,
        help="""
Minimum interval, in seconds, between two diagnoses of the same query to
placement. A request, simulated ones included, is diagnosed if it fails: the
scheduler asks placement for each demand of the query alone, and records what
the hosts lack that placement left out. A request that fails within the
interval is diagnosed when the interval ends. An operator's simulation is
diagnosed at once. With 300 or more, most requests get no diagnosis.

The workers of one host share the interval, and ask placement after they have
answered the request. With the default, repeated failures cost placement up to
10 queries a minute for each query of a request. At 10,000 hosts these took 2
to 6 seconds together. 0 turns the scheduler's diagnoses off. Only
nova-ext-scheduler and nova-ext explain diagnose.
""",
    ),
    cfg.IntOpt(
        'max_size_mb',
        default=32,
        min=1,
        help="""
Size in MiB at which the file is rotated. The default holds about 10,000
decisions: successes, or failures of 100 hosts.
""",
    ),
    cfg.IntOpt(
        'max_files',
        default=4,
        min=1,
        help="""
Number of rotated files to keep in addition to the current one. The record
takes up to (max_files + 1) * max_size_mb of disk.
""",
    ),
    cfg.IntOpt(
        'max_age_days',
        default=30,
        min=1,
        help="""
Maximum age, in days. At this age the current file is rotated, and rotated
files are removed.
""",
    ),
    cfg.IntOpt(
        'max_decision_kb',
        default=64,
        min=4,
        help="""
Maximum size, in KiB, of one decision. Long texts and names of rejected hosts
are cut to fit. The decision keeps the number of hosts and says what was cut.
The default holds about 2,000 rejected hosts.
""",
    ),
]
