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
decision waits for the file. What can't be written is dropped and counted.
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
Record successes as failures are recorded, with every rejected host and every
weight. This helps to try extensions. By default a success takes 3 to 4 KiB,
whatever the number of hosts.
""",
    ),
    cfg.IntOpt(
        'ask_again_every_s',
        default=60,
        min=0,
        help="""
Seconds between two diagnoses of failed requests with the same query to
placement, simulated ones included. The scheduler asks placement for each
demand of the query alone. This records what each host lacks that placement
left out. A request that fails in between is diagnosed at the next turn, so
300 and more leave most of them without a diagnosis.

Placement is asked after the answer is sent, by all workers of one host
together. By default a storm of failures costs placement up to 10 queries a
minute for each query. At 10,000 hosts these took 2 to 6 seconds together. 0
turns the scheduler's diagnoses off. Only nova-ext-scheduler asks, and
nova-ext explain.
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
Age in days at which a file is rotated, and a rotated file is removed.
""",
    ),
    cfg.IntOpt(
        'max_decision_kb',
        default=64,
        min=4,
        help="""
Maximum size in KiB of one decision. Long texts and the names of rejected hosts
are cut to fit. The number of hosts is kept, and the decision says what was
left out. The default holds about 2,000 rejected hosts.
""",
    ),
]
