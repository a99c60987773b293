"""Declare group [nova_ext]: drivers, extensions, policy, the zone."""

from oslo_config import cfg, types

GROUP = cfg.OptGroup(
    'nova_ext',
    title='nova-ext',
    help='What nova-ext adds to nova-scheduler.',
)

TRANSPORT_URL = cfg.StrOpt(
    'transport_url',
    secret=True,
    help="""
URL of the message bus that the schedulers use. Programs on compute hosts that
push stats or query schedulers read it. It is needed where cells have message
buses of their own: ``[DEFAULT] transport_url`` of a compute host is the bus of
its cell then, and no scheduler listens there. Unset, it is the same as
``[DEFAULT] transport_url``.
""",
)

OPTS = [
    TRANSPORT_URL,
    cfg.MultiStrOpt(
        'scheduler_driver',
        default=['FilterScheduler'],
        help="""
Scheduler drivers, one for each topic. Each is a name in the entry-point group
``nova_ext.drivers``, or ``package.module:Class``. Give the option once for
every driver. The default schedules exactly as nova-scheduler does. Only
nova-ext-scheduler reads this option, when it starts.
""",
    ),
    cfg.MultiStrOpt(
        'extension_files',
        default=[],
        help="""
Plain Python files with filters, weighers, costs or drivers. They are loaded in
addition to those of installed packages. Give the option once for every file.
Filters and costs still have to be enabled and drivers named, by class name.
Weighers take effect at once. The service runs the code in the file: only its
administrator should be able to write it.
""",
    ),
    cfg.ListOpt(
        'enabled_costs',
        default=['FreeRamCost', 'OwnerServersCost'],
        help="""
Costs that are added up for each host when a zone is asked for offers. Each is
a name in the entry-point group ``nova_ext.costs``, or a class of a file in
``extension_files``. Every zone of a build has to enable the same, or their
sums can't be compared. Only nova-ext-scheduler reads this option, when it
starts.
""",
    ),
    cfg.Opt(
        'cost_weights',
        type=types.Dict(types.Integer(min=0, max=2**31 - 1)),
        default={},
        help="""
Factors of the costs in the sum, integers of 0 and more, as in
``OwnerServersCost:16``. A cost that is not named has 1, so that by default the
sum is plain. Sums end at 2147483647. Only nova-ext-scheduler reads this
option, when it starts.
""",
    ),
    cfg.StrOpt(
        'policy_file',
        default='nova-ext-policy.yaml',
        help="""
File with oslo.policy rules that override nova-ext's own, such as
``nova_ext:requested_host``. It is looked up beside the configuration files. If
it is absent, the default rules apply.
""",
    ),
    cfg.StrOpt(
        'mirror',
        default='off',
        choices=[
            ('off', 'There is no mirror.'),
            ('verify', 'Nova decides. The same hosts are ranked from the '
             'mirror, too, and each difference is recorded and logged.'),
            ('on', 'The mirror decides what it understands; Nova decides the '
             'rest.'),
        ],
        help="""
Keep what a decision needs in memory, and decide from it, or hold Nova's
decisions against those that come of it. Each worker keeps a mirror of its own.
It needs Nova 33 or later, and numpy 1.26 or later beside it. Only
nova-ext-scheduler reads this option, when it starts.
""",
    ),
    cfg.IntOpt(
        'mirror_refresh_s',
        default=10,
        min=1,
        help="""
Seconds between two readings of what changed in Nova's databases and in
placement. One worker of each machine reads placement. It rests after each
provider's answers, so that the readers of all machines that run a
nova-scheduler take a tenth of one of placement's cores together. Keep it well
below ``service_down_time`` less ``report_interval``. Otherwise services that
are up look down, as their last sign of life was read too long ago.
""",
    ),
    cfg.StrOpt(
        'mirror_path',
        default='$state_path/nova-ext/mirror',
        help="""
Folder of the file in which a machine's workers share what one of them reads of
placement. A cloud has a file of its own there, named after one of its cells.
It has to be on a local disk, as SQLite needs. After a restart the mirror
begins with what is there. A file that is absent or damaged is made anew.
""",
    ),
    cfg.IntOpt(
        'mirror_max_age_s',
        default=60,
        min=1,
        help="""
Nova decides where the mirror was read longer ago than so many seconds, or
hosts longer ago than ``service_down_time`` less ``report_interval``. Hosts
that changed longer ago in placement, and were not read since, are not used; if
they are more than a tenth of all, Nova decides, too.
""",
    ),
    cfg.FloatOpt(
        'mirror_verify_percent',
        default=1.0,
        min=0,
        max=100,
        help="""
Percentage of requests that Nova decides in spite of ``mirror = on``. They are
held against the mirror as with ``verify``. After a difference the mirror
decides nothing more in that worker until it starts again, or until an
administrator turns mirrors on again.
""",
    ),
    cfg.BoolOpt(
        'mirror_weighs_own_claims',
        default=False,
        help="""
Weigh hosts by the processors, memory and disk that are left after what the
worker itself claimed since the mirror was read. Otherwise a host weighs what
its row in Nova's database says, as in Nova, and servers that come shortly one
after the other go to the same best host until it is full. Several schedulers
then run into each other's claims more often. Only ``mirror = on`` reads this
option.
""",
    ),
    cfg.BoolOpt(
        'mirror_sees_all_hosts',
        default=True,
        help="""
Let the mirror choose among all hosts that fit, where they are more than
``[scheduler] max_placement_results``. Nova would choose among those that
placement picks. This is the one difference that is meant. If false, Nova
decides such requests. Only ``mirror = on`` reads this option.
""",
    ),
    cfg.BoolOpt(
        'release_orphaned_allocations',
        default=True,
        help="""
Release in placement what a server holds that Nova gave up before it had a
host, as a scheduler leaves it that is killed after its claim. Nova builds no
such server any more, and keeps the room until the server is deleted. One of
the schedulers looks every ten seconds at the servers in cell0 that failed
within the last hour. Only nova-ext-scheduler reads this option.
""",
    ),
    cfg.BoolOpt(
        'log_requests',
        default=False,
        help="""
Log the context, the request spec and the hints of every request at INFO, with
tokens and passwords masked. This helps to write an extension. Each request
takes about 3 KiB of log. Only nova-ext-scheduler reads this option.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = (
    'scheduler_driver', 'log_requests', 'enabled_costs', 'cost_weights',
    'mirror', 'mirror_refresh_s', 'mirror_path', 'mirror_max_age_s',
    'mirror_verify_percent', 'mirror_sees_all_hosts',
    'mirror_weighs_own_claims',
    'release_orphaned_allocations',
)
