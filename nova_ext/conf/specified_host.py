"""Declare group [nova_ext_specified_host]: the requested_host hint."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_specified_host',
    title='SpecifiedHostWeigher',
    help='How strongly requested_host draws a server back.',
)

OPTS = [
    cfg.FloatOpt(
        'weight_multiplier',
        default=1000000.0,
        help="""
Multiplier of SpecifiedHostWeigher. When a server is unshelved, the weigher
prefers the host that the ``requested_host`` hint names. The default outweighs
all of Nova's weighers, as the default of ``build_failure_weight_multiplier``
does. 0 turns the weigher off.
""",
    ),
]
