"""Declare group [nova_ext_owner_spread]: a user's servers on many hosts."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_owner_spread',
    title='OwnerSpreadWeigher',
    help='How strongly the servers of one user are kept apart.',
)

OPTS = [
    cfg.FloatOpt(
        'weight_multiplier',
        default=0.0,
        help="""
Multiplier of OwnerSpreadWeigher. It prefers hosts without servers of the user,
then hosts with few. A negative value packs the user's servers instead. The
default, 0, turns the weigher off and saves its queries, so that installing
nova-ext changes no decision. A value of 1 counts as much as each of Nova's own
weighers does by default. The metadata key ``owner_spread_weight_multiplier``
of an aggregate overrides it for the aggregate's hosts.
""",
    ),
]
