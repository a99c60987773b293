"""Declare group [nova_ext_offers]: hosts that are offered to requests."""

from oslo_config import cfg, types

GROUP = cfg.OptGroup(
    'nova_ext_offers',
    title='Offers of hosts',
    help='What schedule_run_instance and offers to other zones need.',
)

OPTS = [
    cfg.ListOpt(
        'secret',
        # Of an item that it refuses, oslo.config tries more with its comma.
        item_type=types.String(regex=r'^[^,]*[^,\s][^,]*$'),
        default=[],
        secret=True,
        help="""
Secrets that sign the host of an offer, separated by commas. The first one
signs; all are accepted. Use any long random text without a comma, the same on
every scheduler host. To change it, first add the new one at the end on every
host, then move it to the beginning on every host, then remove the old one; a
scheduler reads the option when it starts. Meanwhile no offer is refused. If it
is empty, schedule_run_instance and all offers are refused.
""",
    ),
    cfg.IntOpt(
        'lifetime_s',
        default=300,
        min=1,
        max=86400,
        help="""
Seconds for which an offer holds, by the clocks of the schedulers. A boot that
comes later is refused, and the room that an offer holds is free again. The
default covers a batch of 100 servers that are created one after the other.
Only nova-ext-scheduler reads this option.
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
SCHEDULER_MODE = ('compute_endpoint', 'lifetime_s')
