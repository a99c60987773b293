"""Declare who may do what, as oslo.policy defaults."""

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
UPDATE_MIRRORS = 'nova_ext:mirrors:update'
GET_ZONES = 'nova_ext:zones:get'
CREATE_ZONES = 'nova_ext:zones:create'
UPDATE_ZONES = 'nova_ext:zones:update'
DELETE_ZONES = 'nova_ext:zones:delete'
ZONE_INFO = 'nova_ext:zone_info:get'
OFFERS = 'nova_ext:zone_offers:create'
CREATE_BUILDS = 'nova_ext:builds:create'
GET_BUILDS = 'nova_ext:builds:get'
DELETE_BUILDS = 'nova_ext:builds:delete'
ITEMS = 'nova_ext:zone_items'
ORPHANS = 'nova_ext:zone_orphans:get'

_ADMIN = 'role:admin'
#: Administrators, and readers of the whole system.
_OPERATOR = 'role:admin or (role:reader and system_scope:all)'
_IN_PROJECT = 'project_id:%(project_id)s'
_MANAGER = f'role:admin or (role:manager and {_IN_PROJECT})'
_GET_DECISIONS = (
    ('GET', '/v1/decisions'), ('GET', '/v1/decisions/{decision_id}'),
    ('GET', '/v1/decisions/{decision_id}/page'),
    ('GET', '/v1/servers/{server_id}/explanation'),
)
_SIMULATE = (('POST', '/v1/simulations'), ('POST', '/v1/capacities'))
_BOOT = ('POST', '/servers')


def _rule(
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
    _rule(
        REQUESTED_HOST, _MANAGER, """
Name the host of a new server with the ``requested_host`` scheduler hint. For
other users every host that they name counts as nonexistent.
""",
        _BOOT, scopes=('project',),
    ),
    _rule(
        STATS_HINT, _MANAGER, """
Require stats of a new server's host with ``stats:`` scheduler hints. They
reveal to a user how loaded hosts are. The rule does not apply to extra specs
of flavors, which Nova's own rules protect.
""",
        _BOOT, scopes=('project',),
    ),
    _rule(
        DECISIONS, f'{_OPERATOR} or (role:reader and {_IN_PROJECT})', """
Show decisions about the project's own servers, and their explanations. The
names of hosts are shown only to users that pass ``nova_ext:hosts:get``.
""",
        *_GET_DECISIONS,
    ),
    _rule(
        ALL_PROJECTS, _OPERATOR, """
Show decisions about the servers of every project, and simulate on behalf of
another project or user. For other users, servers of other projects do not
exist.
""",
        *_GET_DECISIONS, *_SIMULATE,
    ),
    _rule(
        HOSTS, _OPERATOR, """
See the names of hosts in responses, and use them in requests.
""",
        *_GET_DECISIONS, *_SIMULATE,
    ),
    _rule(
        SIMULATE, f'{_OPERATOR} or (role:manager and {_IN_PROJECT})', """
Simulate where servers would be placed. A simulation costs the scheduler as
much as a boot.
""",
        ('POST', '/v1/simulations'),
    ),
    _rule(
        CAPACITY, _OPERATOR, """
Ask how many more servers fit. The answer reveals how full the cloud is.
""",
        ('POST', '/v1/capacities'),
    ),
    _rule(
        CHANGES, _OPERATOR, """
Simulate with other filters, multipliers or drivers than the active ones.
""",
        *_SIMULATE,
    ),
    _rule(
        FLAVORS, _OPERATOR, """
Simulate a flavor that does not exist in the cloud. By choosing extra specs, a
user can find out the names of hosts, their aggregates and their servers. Other
users can only simulate flavors that they can see, by ``flavorid``.
""",
        *_SIMULATE,
    ),
    _rule(
        EXTENSIONS, _OPERATOR, """
List the active filters, weighers, costs and drivers.
""",
        ('GET', '/v1/filters'), ('GET', '/v1/weighers'),
        ('GET', '/v1/drivers'), ('GET', '/v1/costs'),
    ),
    _rule(
        HINTS, f'{_OPERATOR} or role:reader', """
List the scheduler hints that have an effect.
""",
        ('GET', '/v1/hints'),
    ),
    _rule(
        GET_MIRRORS, _OPERATOR, """
Show the state of each scheduler worker's mirror.
""",
        ('GET', '/v1/mirrors'),
    ),
    _rule(
        UPDATE_MIRRORS, _ADMIN, """
Turn the mirrors of all schedulers off, or back on.
""",
        ('PUT', '/v1/mirrors'),
    ),
    _rule(
        GET_ZONES, _ADMIN, """
See child zones, their URLs and the names of their credentials.
""",
        ('GET', '/v1/zones'), ('GET', '/v1/zones/detail'),
        ('GET', '/v1/zones/{zone_id}'),
    ),
    _rule(
        CREATE_ZONES, _ADMIN, """
Add a child zone. nova-ext sends a token of the named credentials to its URL.
""",
        ('POST', '/v1/zones'),
    ),
    _rule(
        UPDATE_ZONES, _ADMIN, """
Change or disable a child zone.
""",
        ('PUT', '/v1/zones/{zone_id}'),
    ),
    _rule(
        DELETE_ZONES, _ADMIN, """
Delete a child zone from this zone.
""",
        ('DELETE', '/v1/zones/{zone_id}'),
    ),
    _rule(
        ZONE_INFO, f'{_OPERATOR} or role:reader', """
See the name, the UUID and the capabilities of this zone. The user with whose
credentials a parent zone asks needs it.
""",
        ('GET', '/v1/zones/info'),
    ),
    _rule(
        OFFERS, 'role:admin or role:nova_ext_parent', """
Ask this zone for offers of its hosts, which hold room, and give them back. The
answers tell how full the cloud is. ``nova_ext_parent`` is a role for the
accounts of parent zones. To create servers they need ``member`` and
``reader`` as well.
""",
        ('POST', '/v1/zones/offers'), ('DELETE', '/v1/zones/offers'),
        scopes=('project',),
    ),
    _rule(
        CREATE_BUILDS, f'role:member and {_IN_PROJECT}', """
Create servers in all zones that serve the project, or ask where they would be.
""",
        ('POST', '/v1/builds'), scopes=('project',),
    ),
    _rule(
        GET_BUILDS, f'role:reader and {_IN_PROJECT}', """
See the builds of the project. Those of other projects do not exist. What went
wrong with a zone is left out for who may not see zones.
""",
        ('GET', '/v1/builds'), ('GET', '/v1/builds/{build_id}'),
        scopes=('project',),
    ),
    _rule(
        DELETE_BUILDS, f'role:member and {_IN_PROJECT}', """
Delete a build of the project with its servers, or have it go on.
""",
        ('DELETE', '/v1/builds/{build_id}'),
        ('POST', '/v1/builds/{build_id}/resume'), scopes=('project',),
    ),
    _rule(
        ITEMS, 'role:admin or role:nova_ext_parent', """
Create servers of builds for a parent zone, look at them and delete them. They
are created with the caller's token, so that Nova's own policies and quotas
hold, and items of other projects do not exist.
""",
        ('GET', '/v1/zones/items'), ('GET', '/v1/zones/items/{item_key}'),
        ('PUT', '/v1/zones/items/{item_key}'),
        ('DELETE', '/v1/zones/items/{item_key}'),
        ('GET', '/v1/zones/servers'), scopes=('project',),
    ),
    _rule(
        ORPHANS, _ADMIN, """
List servers of this zone's builds that no build knows of, of all projects. The
caller lists the servers of all projects in this zone's Nova for it, and has to
be allowed to.
""",
        ('GET', '/v1/zones/orphans'), scopes=('project',),
    ),
]


def list_rules() -> list[policy.DocumentedRuleDefault]:
    """Return all rules, for oslo.policy's generators and our enforcer."""
    return list(_RULES)
