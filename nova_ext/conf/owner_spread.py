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
Multiplier of OwnerSpreadWeigher. A positive value prefers the hosts with the
fewest servers of the user, a negative value the hosts with the most. The
default, 0, turns the weigher and its queries off, so that installing nova-ext
changes no decision. With 1 it counts as much as each of Nova's own weighers
does by default. The metadata key ``owner_spread_weight_multiplier`` of an
aggregate overrides this option for the aggregate's hosts.
""",
    ),
]
