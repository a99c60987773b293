"""What nova-ext-scheduler is asked on its command line alone."""

from oslo_config import cfg

OPTS = [
    cfg.BoolOpt(
        'check',
        default=False,
        help="""
Load everything that the configuration names, as at a start, and end: with 0,
or with one line that says what is wrong. Nothing is started; neither a
database nor a message queue is needed.
""",
    ),
    cfg.IntOpt(
        'ping',
        min=1,
        metavar='SECONDS',
        help="""
Wait so many seconds at most until the scheduler of this host answers over
RPC, and end: with 0, or with one line. Nothing is started.
""",
    ),
]
