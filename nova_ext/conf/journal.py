"""Declare group [nova_ext_journal]: what decisions were made from."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_journal',
    title='Journal',
    help='The journal of what decisions were made from, for nova-ext '
         'replay. [nova_ext] journal turns it on.',
)

OPTS = [
    cfg.StrOpt(
        'directory',
        default='$state_path/nova-ext/journal',
        help="""
Directory of the journal. Each worker of a scheduler has a file of its own in
it. It is created if it is absent.
""",
    ),
    cfg.IntOpt(
        'max_mb_per_day',
        default=512,
        min=1,
        help="""
Maximum size, in MiB, of what all workers of this host write on one day, UTC.
Further decisions of the day are not journaled, which the log and the journal
say. Scheduling goes on. The default is enough for thousands of hosts at
10 boots a minute.
""",
    ),
    cfg.IntOpt(
        'max_size_mb',
        default=2048,
        min=1,
        help="""
Maximum size, in MiB, of all files of the directory. The oldest files are
removed first. Each worker begins another file at an eighth of this size, at
64 MiB at most, and at midnight UTC.
""",
    ),
    cfg.IntOpt(
        'max_age_days',
        default=7,
        min=1,
        help="""
Maximum age, in days, of a file. The default keeps a week, in which most
clouds have both busy and quiet days.
""",
    ),
]
