"""Group [nova_ext_offers]: servers that drivers create."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_offers',
    title='Servers that drivers create',
    help='What schedule_run_instance needs.',
)

OPTS = [
    cfg.StrOpt(
        'secret',
        default='',
        secret=True,
        help="""
With this the schedulers sign which host a server was offered: any long random
text, the same on every scheduler host. Empty: schedule_run_instance is
refused, and so is every offer.
""",
    ),
    cfg.URIOpt(
        'compute_endpoint',
        schemes=['http', 'https'],
        help="""
URL of the compute API, with ``/v2.1``, at which servers are created with the
callers' tokens. Unset: that of the service catalog, internal or public, in
the region and with the credentials of ``[placement]``. Read by
nova-ext-scheduler alone.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = ('compute_endpoint',)
