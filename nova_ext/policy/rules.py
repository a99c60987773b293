"""Who may do what, as oslo.policy defaults."""

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

#: Who runs the cloud, and who may look at all of it.
_OPERATOR = 'role:admin or (role:reader and system_scope:all)'
_IN_PROJECT = 'project_id:%(project_id)s'
_SCOPES = ['system', 'project']


def _of_api(
    name: str, check: str, description: str, *operations: tuple[str, str]
) -> policy.DocumentedRuleDefault:
    """A rule that nova-ext-api checks."""
    return policy.DocumentedRuleDefault(
        name=name, check_str=check, description=description,
        operations=[
            {'method': method, 'path': path} for method, path in operations
        ],
        scope_types=_SCOPES,
    )


_RULES = [
    policy.DocumentedRuleDefault(
        name=REQUESTED_HOST,
        check_str='role:admin or '
        '(role:manager and project_id:%(project_id)s)',
        description="""
Name the host of a new server with the ``requested_host`` scheduler hint. One
who may not gets the answer that a host which doesn't exist would give.
""",
        operations=[{'method': 'POST', 'path': '/servers'}],
        scope_types=['project'],
    ),
    policy.DocumentedRuleDefault(
        name=STATS_HINT,
        check_str='role:admin or '
        '(role:manager and project_id:%(project_id)s)',
        description="""
Ask for stats of a new server's host with ``stats:`` scheduler hints, from
which a user can learn how hosts are doing. Extra specs of flavors need no
rule but Nova's own.
""",
        operations=[{'method': 'POST', 'path': '/servers'}],
        scope_types=['project'],
    ),
    _of_api(
        DECISIONS, f'{_OPERATOR} or (role:reader and {_IN_PROJECT})', """
See decisions about the project's own servers, and explanations of them. Names
of hosts are left out for who may not see them.
""",
        ('GET', '/v1/decisions'), ('GET', '/v1/decisions/{decision_id}'),
        ('GET', '/v1/decisions/{decision_id}/page'),
        ('GET', '/v1/servers/{server_id}/explanation'),
    ),
    _of_api(
        ALL_PROJECTS, _OPERATOR, """
See decisions about the servers of every project, and simulate in the name of
another project or user. For who may not, what other projects have does not
exist.
""",
        ('GET', '/v1/decisions'), ('GET', '/v1/decisions/{decision_id}'),
        ('GET', '/v1/decisions/{decision_id}/page'),
        ('GET', '/v1/servers/{server_id}/explanation'),
        ('POST', '/v1/simulations'), ('POST', '/v1/capacities'),
    ),
    _of_api(
        HOSTS, _OPERATOR, """
See hosts by name in all that is answered, and name them in what is asked.
""",
        ('GET', '/v1/decisions'), ('GET', '/v1/decisions/{decision_id}'),
        ('GET', '/v1/decisions/{decision_id}/page'),
        ('GET', '/v1/servers/{server_id}/explanation'),
        ('POST', '/v1/simulations'), ('POST', '/v1/capacities'),
    ),
    _of_api(
        SIMULATE, f'{_OPERATOR} or (role:manager and {_IN_PROJECT})', """
Ask where servers would go. The scheduler works on it as on a boot.
""",
        ('POST', '/v1/simulations'),
    ),
    _of_api(
        CAPACITY, _OPERATOR, """
Ask how many more servers fit, which tells how full the cloud is.
""",
        ('POST', '/v1/capacities'),
    ),
    _of_api(
        CHANGES, _OPERATOR, """
Simulate with other filters, multipliers or drivers than those in force.
""",
        ('POST', '/v1/simulations'), ('POST', '/v1/capacities'),
    ),
    _of_api(
        FLAVORS, _OPERATOR, """
Simulate a flavor that the cloud does not have. With extra specs at will, the
answers tell what hosts are called, and what their aggregates and servers are.
Others name one of the flavors that they may see by its ``flavorid``.
""",
        ('POST', '/v1/simulations'), ('POST', '/v1/capacities'),
    ),
    _of_api(
        EXTENSIONS, _OPERATOR, """
See which filters, weighers and drivers decide.
""",
        ('GET', '/v1/filters'), ('GET', '/v1/weighers'),
        ('GET', '/v1/drivers'),
    ),
    _of_api(
        HINTS, f'{_OPERATOR} or role:reader', """
See which scheduler hints have an effect.
""",
        ('GET', '/v1/hints'),
    ),
]


def list_rules() -> list[policy.DocumentedRuleDefault]:
    """All rules, for oslo.policy's generators and our enforcer."""
    return list(_RULES)
