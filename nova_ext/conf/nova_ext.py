"""Declare group [nova_ext]: drivers, plugins, policy."""

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
URL of the schedulers' message bus, for programs on compute hosts that push
stats or query schedulers. Set it if each cell has its own message bus: there
``[DEFAULT] transport_url`` of a compute host is the bus of its cell, on which
no scheduler listens. The default is ``[DEFAULT] transport_url``.
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
        'plugin_files',
        default=[],
        help="""
Plain Python files with filters, weighers, costs or drivers. They are loaded in
addition to those of installed packages. Give the option once for every file.
Filters and costs still have to be enabled and drivers named, by class name.
Weighers need not be enabled. The service runs the code in the file: only its
administrator should be able to write it.
""",
    ),
    cfg.ListOpt(
        'enabled_costs',
        default=['FreeRamCost', 'OwnerServersCost'],
        help="""
Costs that are added up for each host when this zone makes offers. Each is a
name in the entry-point group ``nova_ext.costs``, or a class in a file of
``plugin_files``. Enable the same costs in every zone of a build: otherwise
their sums can't be compared. Only nova-ext-scheduler reads this option, when
it starts.
""",
    ),
    cfg.Opt(
        'cost_weights',
        type=types.Dict(types.Integer(min=0, max=2**31 - 1)),
        default={},
        help="""
Factor of each cost in the sum, an integer of at least 0, as in
``OwnerServersCost:16``. The factor of other costs is 1. Sums are limited to
2147483647. Only nova-ext-scheduler reads this option, when it starts.
""",
    ),
    cfg.StrOpt(
        'policy_file',
        default='nova-ext-policy.yaml',
        help="""
File with oslo.policy rules that override nova-ext's own, such as
``nova_ext:requested_host``. It is looked up in the directories of the
configuration files. If it is absent, the default rules apply.
""",
    ),
    cfg.BoolOpt(
        'journal',
        default=False,
        help="""
Keep a journal of what each decision is made from, for nova-ext replay. It is
off by default, as it takes disk space: see ``[nova_ext_journal]``.
""",
    ),
    cfg.StrOpt(
        'mirror',
        default='off',
        choices=[
            ('off', 'There is no mirror.'),
            ('verify', 'Nova schedules. Each decision is repeated from the '
             'mirror, and differences are recorded and logged.'),
            ('on', 'Requests are scheduled from the mirror. Those that the '
             'mirror does not support fall back to Nova.'),
        ],
        help="""
Keep a copy of host states and placement's inventories in memory, the mirror.
Schedule from it (``on``), or verify Nova's decisions against it (``verify``).
Each worker has its own mirror. It requires Nova 33 or later and numpy 1.26 or
later. Only nova-ext-scheduler reads this option, when it starts.
""",
    ),
    cfg.IntOpt(
        'mirror_refresh_s',
        default=10,
        min=1,
        help="""
Interval, in seconds, at which the mirror reads changes from Nova's databases
and from placement. One worker of each machine reads placement. It pauses after
each provider, so that the readers of all machines together use a tenth of one
of placement's cores. Keep the interval well below ``service_down_time`` minus
``report_interval``. Otherwise services that are up appear down, because their
heartbeats are read too late.
""",
    ),
    cfg.StrOpt(
        'mirror_path',
        default='$state_path/nova-ext/mirror',
        help="""
Directory of the SQLite file in which the workers of a machine share the data
that one of them reads from placement. It must be on a local disk. Each cloud
has its own file, named after one of its cells. After a restart the mirror
loads the file. If the file is absent or damaged, it is created anew.
""",
    ),
    cfg.IntOpt(
        'mirror_max_age_s',
        default=60,
        min=1,
        help="""
Maximum age, in seconds, of mirrored data. If it is older, scheduling falls
back to Nova, as it does if hosts were last read longer ago than
``service_down_time`` minus ``report_interval``. Hosts whose changes in
placement are older and not read yet are not used. If these are more than a
tenth of all hosts, scheduling falls back to Nova, too.
""",
    ),
    cfg.FloatOpt(
        'mirror_verify_percent',
        default=1.0,
        min=0,
        max=100,
        help="""
Percentage of requests that are scheduled by Nova and verified against the
mirror, as with ``verify``, although ``mirror`` is ``on``. After a difference
the worker stops using its mirror until it restarts.
""",
    ),
    cfg.BoolOpt(
        'mirror_weighs_own_claims',
        default=False,
        help="""
Subtract the worker's own recent claims from a host's free VCPUs, memory and
disk before hosts are weighed. If false, hosts are weighed by their rows in
Nova's database, as in Nova: servers that are booted shortly one after the
other go to the same host until it is full, and several schedulers conflict
more often. Only used with ``mirror = on``.
""",
    ),
    cfg.BoolOpt(
        'mirror_sees_all_hosts',
        default=True,
        help="""
Choose among all hosts that fit, even if they are more than ``[scheduler]
max_placement_results``. Nova chooses among the ones that placement picks.
If false, such requests fall back to
Nova. Only used with ``mirror = on``.
""",
    ),
    cfg.BoolOpt(
        'release_orphaned_allocations',
        default=True,
        help="""
Delete allocations that leaked because a scheduler died between claiming and
answering. Nova never builds such a server, and keeps its allocation until the
server is deleted. Every ten seconds one of the schedulers looks at the servers
in cell0 that failed within the last hour. Only nova-ext-scheduler reads this
option.
""",
    ),
    cfg.BoolOpt(
        'log_requests',
        default=False,
        help="""
Log the context, the request spec and the hints of every request at INFO, with
tokens and passwords masked. Use it to write a plugin. Each request takes
about 3 KiB of log. Only nova-ext-scheduler reads this option.
""",
    ),
]

#: Options that do nothing without nova-ext-scheduler.
SCHEDULER_MODE = (
    'scheduler_driver', 'log_requests', 'enabled_costs', 'cost_weights',
    'mirror', 'mirror_refresh_s', 'mirror_path', 'mirror_max_age_s',
    'mirror_verify_percent', 'mirror_sees_all_hosts',
    'mirror_weighs_own_claims',
    'release_orphaned_allocations',
)
