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
REHEARSE = 'nova_ext:rehearsal:create'
CHANGES = 'nova_ext:changes:create'
FLAVORS = 'nova_ext:flavors:create'
PLUGINS = 'nova_ext:plugins:get'
HINTS = 'nova_ext:hints:get'
GET_MIRRORS = 'nova_ext:mirrors:get'
GET_SHADOW_REPORTS = 'nova_ext:shadow_reports:get'

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
Name the host of a new server with the ``requested_host`` scheduler hint. For
other users every host that they name counts as nonexistent.
""",
        _BOOT, scopes=('project',),
    ),
    declare(
        STATS_HINT, _MANAGER, """
Require stats of a new server's host with ``stats:`` scheduler hints. They
reveal to a user how loaded hosts are. The rule does not apply to extra specs
of flavors, which Nova's own rules protect.
""",
        _BOOT, scopes=('project',),
    ),
    declare(
        DECISIONS, f'{OPERATOR} or (role:reader and {IN_PROJECT})', """
Show decisions about the project's own servers, and their explanations. The
names of hosts are shown only to users that pass ``nova_ext:hosts:get``.
""",
        *_GET_DECISIONS,
    ),
    declare(
        ALL_PROJECTS, OPERATOR, """
Show decisions about the servers of every project, and simulate on behalf of
another project or user. For other users, servers of other projects do not
exist.
""",
        *_GET_DECISIONS, *_SIMULATE,
    ),
    declare(
        HOSTS, OPERATOR, """
See the names of hosts in responses, and use them in requests.
""",
        *_GET_DECISIONS, *_SIMULATE,
    ),
    declare(
        SIMULATE, f'{OPERATOR} or (role:manager and {IN_PROJECT})', """
Simulate where servers would be placed. A simulation costs the scheduler as
much as a boot.
""",
        ('POST', '/v1/simulations'),
    ),
    declare(
        CAPACITY, OPERATOR, """
Ask how many more servers fit. The answer reveals how full the cloud is.
""",
        ('POST', '/v1/capacities'),
    ),
    declare(
        REHEARSE, OPERATOR, """
Rehearse the loss of hosts, or their draining. The answer names hosts, and
servers of all projects.
""",
        ('POST', '/v1/rehearsals'), ('POST', '/v1/losses'),
    ),
    declare(
        CHANGES, OPERATOR, """
Simulate with other filters, multipliers or drivers than the active ones.
""",
        *_SIMULATE,
    ),
    declare(
        FLAVORS, OPERATOR, """
Simulate a flavor that does not exist in the cloud. By choosing extra specs, a
user can find out the names of hosts, their aggregates and their servers. Other
users can only simulate flavors that they can see, by ``flavorid``.
""",
        *_SIMULATE,
    ),
    declare(
        PLUGINS, OPERATOR, """
List the active filters, weighers, costs and drivers.
""",
        ('GET', '/v1/filters'), ('GET', '/v1/weighers'),
        ('GET', '/v1/drivers'), ('GET', '/v1/costs'),
    ),
    declare(
        HINTS, f'{OPERATOR} or role:reader', """
List the scheduler hints that have an effect.
""",
        ('GET', '/v1/hints'),
    ),
    declare(
        GET_MIRRORS, OPERATOR, """
Show the state of each scheduler worker's mirror.
""",
        ('GET', '/v1/mirrors'),
    ),
    declare(
        GET_SHADOW_REPORTS, OPERATOR, """
Show what another configuration would have made of the requests of all
projects, as shadows count it.
""",
        ('GET', '/v1/shadow-reports'),
    ),
]


def list_rules() -> list[policy.DocumentedRuleDefault]:
    """Return the rules, for oslo.policy's generators and our enforcer."""
    return list(_RULES)
