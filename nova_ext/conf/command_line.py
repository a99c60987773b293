"""Declare the options of nova-ext-scheduler's command line."""

from oslo_config import cfg

OPTS = [
    cfg.BoolOpt(
        'check',
        default=False,
        help="""
Load everything that the configuration names, as at a start, and exit: with
status 0 after a list of the filters and weighers, or with one line that says
what is wrong. Nothing is started. Neither a database nor a message queue is
needed.
""",
    ),
    cfg.IntOpt(
        'ping',
        min=1,
        metavar='SECONDS',
        help="""
Wait up to this many seconds until the scheduler of this host answers over RPC,
and exit: with status 0, or with one line. Nothing is started.
""",
    ),
]
