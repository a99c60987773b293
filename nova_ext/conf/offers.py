"""Declare group [nova_ext_offers]: servers that drivers create."""

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
Key with which the schedulers sign the host that a server was offered. Use any
long random text, the same on every scheduler host. If it is empty,
schedule_run_instance and all offers are refused.
""",
    ),
    cfg.URIOpt(
        'compute_endpoint',
        schemes=['http', 'https'],
        help="""
URL of the compute API, with ``/v2.1``. Servers are created there with the
callers' tokens. Unset, it is the internal or public URL of the service
catalog, in the region and with the credentials of ``[placement]``. Only
nova-ext-scheduler reads this option.
""",
    ),
]

#: Options that nova-ext-scheduler alone reads.
SCHEDULER_MODE = ('compute_endpoint',)
