"""Group [nova_ext]: what the scheduler is made of."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext',
    title='nova-ext',
    help='What nova-ext adds to nova-scheduler.',
)

TRANSPORT_URL = cfg.StrOpt(
    'transport_url',
    secret=True,
    help="""
URL of the message bus that the schedulers are on, for programs beside
nova-compute that push stats or ask schedulers. Needed where cells have message
buses of their own: ``transport_url`` in ``nova.conf`` of a compute host is
that of its cell then, on which no scheduler listens. Unset:
``[DEFAULT] transport_url``.
""",
)

OPTS = [
    TRANSPORT_URL,
    cfg.MultiStrOpt(
        'scheduler_driver',
        default=['FilterScheduler'],
        help="""
Scheduler drivers, one a topic, each by its name in the entry-point group
``nova_ext.drivers`` or as ``package.module:Class``. Give the option once for
every driver. The default behaves exactly as nova-scheduler. Read by
nova-ext-scheduler alone, at start.
""",
    ),
    cfg.MultiStrOpt(
        'extension_files',
        default=[],
        help="""
Plain Python files with filters, weighers or drivers, loaded beside those that
packages bring. Give the option once for every file. Filters still have to be
enabled and drivers chosen, by class name; weighers count at once. The service
runs what the file says: only its administrator should be able to write it.
""",
    ),
    cfg.StrOpt(
        'policy_file',
        default='nova-ext-policy.yaml',
        help="""
File with oslo.policy rules that override nova-ext's own, such as
``nova_ext:requested_host``; looked up beside the configuration files. An
absent file is no error: the defaults hold.
""",
    ),
    cfg.BoolOpt(
        'log_requests',
        default=False,
        help="""
Log at INFO what the context, the request spec and the hints of every request
hold, with tokens and passwords masked. For writing an extension; costs about
3 KiB of log a request. Read by nova-ext-scheduler alone.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = ('scheduler_driver', 'log_requests')
