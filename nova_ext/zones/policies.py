"""Declare who may do what with zones, offers and builds."""

from oslo_policy import policy

from nova_ext.policy.rules import ADMIN, IN_PROJECT, OPERATOR, declare

GET_ZONES = 'nova_ext:zones:get'
CREATE_ZONES = 'nova_ext:zones:create'
UPDATE_ZONES = 'nova_ext:zones:update'
DELETE_ZONES = 'nova_ext:zones:delete'
ZONE_INFO = 'nova_ext:zone_info:get'
OFFERS = 'nova_ext:zone_offers:create'
CREATE_BUILDS = 'nova_ext:builds:create'
DRY_RUN = 'nova_ext:builds:dry_run'
GET_BUILDS = 'nova_ext:builds:get'
DELETE_BUILDS = 'nova_ext:builds:delete'
ITEMS = 'nova_ext:zone_items'
ORPHANS = 'nova_ext:zone_orphans:get'

_RULES = [
    declare(
        GET_ZONES, ADMIN, """
See child zones, their URLs and the names of their credentials.
""",
        ('GET', '/v1/zones'), ('GET', '/v1/zones/{zone_id}'),
    ),
    declare(
        CREATE_ZONES, ADMIN, """
Add a child zone. nova-ext sends a token of the named credentials to its URL.
""",
        ('POST', '/v1/zones'),
    ),
    declare(
        UPDATE_ZONES, ADMIN, """
Change or disable a child zone.
""",
        ('PUT', '/v1/zones/{zone_id}'),
    ),
    declare(
        DELETE_ZONES, ADMIN, """
Delete a child zone from this zone.
""",
        ('DELETE', '/v1/zones/{zone_id}'),
    ),
    declare(
        ZONE_INFO, f'{OPERATOR} or role:reader', """
See the name, the UUID and the capabilities of this zone. The user with whose
credentials a parent zone asks needs it.
""",
        ('GET', '/v1/zones/info'),
    ),
    declare(
        OFFERS, 'role:admin or role:nova_ext_parent', """
Ask this zone for offers of its hosts, which hold room, and give them back. The
answers tell how full the cloud is. ``nova_ext_parent`` is a role for the
accounts of parent zones. To create servers they need ``member`` and
``reader`` as well.
""",
        ('POST', '/v1/zones/offers'), ('DELETE', '/v1/zones/offers'),
        scopes=('project',),
    ),
    declare(
        CREATE_BUILDS, f'role:member and {IN_PROJECT}', """
Create servers in all zones that serve the project. The answer tells how many
offers each zone made, what its hosts lack, and in which zone each server is.
Costs are shown only to users that pass ``nova_ext:capacity:create``.
""",
        ('POST', '/v1/builds'), scopes=('project',),
    ),
    declare(
        DRY_RUN, f'role:member and {IN_PROJECT}', """
Ask where the servers of a build would be, and create none (``dry_run``). The
answer reveals how full the zones are: for how many of up to 100 servers of any
flavor there is room, and how many hosts lack what. Costs are shown only to
users that pass ``nova_ext:capacity:create``. Users have to pass
``nova_ext:builds:create``, too.
""",
        ('POST', '/v1/builds'), scopes=('project',),
    ),
    declare(
        GET_BUILDS, f'role:reader and {IN_PROJECT}', """
See the builds of the project, with what ``nova_ext:builds:create`` tells.
Those of other projects do not exist. What went wrong with a zone is left out
for who may not see zones.
""",
        ('GET', '/v1/builds'), ('GET', '/v1/builds/{build_id}'),
        scopes=('project',),
    ),
    declare(
        DELETE_BUILDS, f'role:member and {IN_PROJECT}', """
Delete a build of the project with its servers, or have it go on.
""",
        ('DELETE', '/v1/builds/{build_id}'),
        ('POST', '/v1/builds/{build_id}/resume'), scopes=('project',),
    ),
    declare(
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
    declare(
        ORPHANS, ADMIN, """
List servers of this zone's builds that no build knows of, of all projects. The
caller lists the servers of all projects in this zone's Nova for it, and has to
be allowed to.
""",
        ('GET', '/v1/zones/orphans'), scopes=('project',),
    ),
]


def list_rules() -> list[policy.DocumentedRuleDefault]:
    """Return the rules, for every reader of this entry point."""
    return list(_RULES)
