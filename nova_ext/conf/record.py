"""Group [nova_ext_record]: the record of decisions."""

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
Record every decision. Recording never changes or fails a decision, and none
waits for the file: what can't be written is dropped and counted.
""",
    ),
    cfg.StrOpt(
        'file',
        default='$state_path/nova-ext/decisions.jsonl',
        help="""
The record, one JSON object a line, shared by all scheduler workers of this
host. Its folder is created if it is absent.
""",
    ),
    cfg.BoolOpt(
        'successes_in_full',
        default=False,
        help="""
Record successes as failures are recorded, with every rejected host and every
weight. For trying extensions; by default a success takes 3 to 4 KiB whatever
the number of hosts.
""",
    ),
    cfg.IntOpt(
        'ask_again_every_s',
        default=60,
        min=0,
        help="""
Where placement has no candidate at all, ask it again with parts of the request
left out, to record which resource, trait or aggregate keeps all hosts out;
where a request failed with as many as [scheduler] max_placement_results, ask
it for up to 10,000, to record which hosts that limit cut off. That is done
after the answer is sent. The workers of one host ask one question at a time
between them, and about requests of the same shape, simulated ones among them,
once in so many seconds. By default a storm of failures costs placement up to
20 small queries, or one large one, a minute for each shape. 0: never ask. Only
nova-ext-scheduler asks.
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
Rotated files to keep beside the current one; bounds the disk that the record
takes to (max_files + 1) * max_size_mb.
""",
    ),
    cfg.IntOpt(
        'max_age_days',
        default=30,
        min=1,
        help="""
Age in days after which a file is rotated, and a rotated file is removed.
""",
    ),
    cfg.IntOpt(
        'max_decision_kb',
        default=64,
        min=4,
        help="""
Size in KiB that one decision may take; long texts and the names of rejected
hosts are cut to fit, their number is kept, and the decision says what was left
out. The default holds about 2,000 rejected hosts.
""",
    ),
]
