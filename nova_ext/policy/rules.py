"""Declare who may do what, as oslo.policy defaults.

A feature beside the scheduler, such as zones, declares its own: an entry point
in oslo.policy's group, whose name begins with ``nova_ext.``, has them.
"""

from collections.abc import Sequence

from oslo_policy import policy

REQUESTED_HOST = 'nova_ext:requested_host'
STATS_HINT = 'nova_ext:stats_hint'
DECISIONS = 'nova_ext:decisions:get'
ALL_PROJECTS = 'nova_ext:decisions:get_all_projects'
HOSTS = 'nova_ext:hosts:get'
SIMULATE = 'nova_ext:simulation:create'
CAPACITY = 'nova_ext:capacity:create'
CHANGES = 'nova_ext:changes:create'
FLAVORS = 'nova_ext:flavors:create'
EXTENSIONS = 'nova_ext:extensions:get'
HINTS = 'nova_ext:hints:get'
GET_MIRRORS = 'nova_ext:mirrors:get'

ADMIN = 'role:admin'
#: Administrators, and readers of the whole system.
OPERATOR = 'role:admin or (role:reader and system_scope:all)'
IN_PROJECT = 'project_id:%(project_id)s'
_MANAGER = f'role:admin or (role:manager and {IN_PROJECT})'
_GET_DECISIONS = (
    ('GET', '/v1/decisions'), ('GET', '/v1/decisions/{decision_id}'),
    ('GET', '/v1/decisions/{decision_id}/page'),
    ('GET', '/v1/servers/{server_id}/explanation'),
)
_SIMULATE = (('POST', '/v1/simulations'), ('POST', '/v1/capacities'))
_BOOT = ('POST', '/servers')


def declare(
    name: str, check: str, description: str, *operations: tuple[str, str],
    scopes: Sequence[str] = ('system', 'project'),
) -> policy.DocumentedRuleDefault:
    """Declare a rule; by default one that nova-ext-api checks."""
    return policy.DocumentedRuleDefault(
        name=name, check_str=check, description=description,
        operations=[
            {'method': method, 'path': path} for method, path in operations
        ],
        scope_types=list(scopes),
    )


_RULES = [
    declare(
        REQUESTED_HOST, _MANAGER, """
Name the host of a new server with the ``requested_host`` scheduler hint. One
who may not gets the answer that a host which doesn't exist would give.
""",
        _BOOT, scopes=('project',),
    ),
    declare(
        STATS_HINT, _MANAGER, """
Ask for stats of a new server's host with ``stats:`` scheduler hints, from
which a user can learn how hosts are doing. Extra specs of flavors need no
rule but Nova's own.
""",
        _BOOT, scopes=('project',),
    ),
    declare(
        DECISIONS, f'{OPERATOR} or (role:reader and {IN_PROJECT})', """
See decisions about the project's own servers, and explanations of them. Names
of hosts are left out for who may not see them.
""",
        *_GET_DECISIONS,
    ),
    declare(
        ALL_PROJECTS, OPERATOR, """
See decisions about the servers of every project, and simulate in the name of
another project or user. For who may not, what other projects have does not
exist.
""",
        *_GET_DECISIONS, *_SIMULATE,
    ),
    declare(
        HOSTS, OPERATOR, """
See hosts by name in all that is answered, and name them in what is asked.
""",
        *_GET_DECISIONS, *_SIMULATE,
    ),
    declare(
        SIMULATE, f'{OPERATOR} or (role:manager and {IN_PROJECT})', """
Ask where servers would go. The scheduler works on it as on a boot.
""",
        ('POST', '/v1/simulations'),
    ),
    declare(
        CAPACITY, OPERATOR, """
Ask how many more servers fit, which tells how full the cloud is.
""",
        ('POST', '/v1/capacities'),
    ),
    declare(
        CHANGES, OPERATOR, """
Simulate with other filters, multipliers or drivers than the active ones.
""",
        *_SIMULATE,
    ),
    declare(
        FLAVORS, OPERATOR, """
Simulate a flavor that the cloud does not have. With extra specs at will, the
answers tell what hosts are called, and what their aggregates and servers are.
Others name one of the flavors that they may see by its ``flavorid``.
""",
        *_SIMULATE,
    ),
    declare(
        EXTENSIONS, OPERATOR, """
See which filters, weighers, costs and drivers decide.
""",
        ('GET', '/v1/filters'), ('GET', '/v1/weighers'),
        ('GET', '/v1/drivers'), ('GET', '/v1/costs'),
    ),
    declare(
        HINTS, f'{OPERATOR} or role:reader', """
See which scheduler hints have an effect.
""",
        ('GET', '/v1/hints'),
    ),
    declare(
        GET_MIRRORS, OPERATOR, """
See what the mirrors of the schedulers' workers do.
""",
        ('GET', '/v1/mirrors'),
    ),
]


def list_rules() -> list[policy.DocumentedRuleDefault]:
    """Return the rules, for oslo.policy's generators and our enforcer."""
    return list(_RULES)
