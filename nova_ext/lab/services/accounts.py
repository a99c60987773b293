"""Set the accounts in a lab's Keystone, inside its process."""

import uuid
from collections.abc import Collection, Iterable
from typing import Any

from nova_ext.lab.configuration import zone_config
from nova_ext.lab.state.lab_state import CREDENTIAL, State

_DOMAIN = 'default'

# User, whose password it has, project, roles there.
_Account = tuple[str, str, str, tuple[str, ...]]
_ACCOUNTS: tuple[_Account, ...] = (
    ('admin', 'admin', 'admin', ('admin',)),
    ('demo', 'demo', 'demo', ('member', 'reader')),
)
_SERVICE_ROLES = ('admin', 'service')
# The parent zone's; it creates servers in these projects.
_PARENT_ROLES = (zone_config.ROLE, 'member', 'reader')
_PARENTS: tuple[_Account, ...] = tuple(
    (account, 'parent', account, _PARENT_ROLES)
    for account in zone_config.ACCOUNTS
)


def set_accounts(apis: Any, state: State, users: Collection[str]) -> None:
    """Set users with their passwords, projects and roles.

    A child zone has accounts for its parent zone, too, and their application
    credentials.

    :param apis: Keystone's providers.
    :param users: of the other services.
    """
    services = [(user, 'service', 'service', _SERVICE_ROLES) for user in users]
    _set_all(apis, state, [*_ACCOUNTS, *services])
    if state.zone is not None and state.zone.parent is not None:
        _set_all(apis, state, _PARENTS)
        for account in zone_config.ACCOUNTS:
            _set_credential(apis, account, state.passwords[CREDENTIAL])


def _set_all(
    apis: Any, state: State, accounts: Iterable[_Account]
) -> None:
    for user, password, project, roles in accounts:
        user_id = _set_user(apis.identity_api, user, state.passwords[password])
        project_id = _get_project(apis.resource_api, project)
        for role in roles:
            _grant(
                apis.assignment_api, user_id, project_id,
                _get_role(apis.role_api, role),
            )


def _get_role(api: Any, name: str) -> str:
    for role in api.list_roles():
        if role['name'] == name:
            return role['id']
    identifier = new_id()
    api.create_role(identifier, {'id': identifier, 'name': name})
    return identifier


def _set_credential(apis: Any, name: str, secret: str) -> None:
    """Create an application credential of a parent, unless it exists."""
    api = apis.application_credential_api
    user = apis.identity_api.get_user_by_name(name, _DOMAIN)['id']
    known = api.list_application_credentials(user)
    if any(credential['name'] == name for credential in known):
        return
    api.create_application_credential({
        'id': new_id(), 'name': name, 'secret': secret, 'user_id': user,
        'project_id': _get_project(apis.resource_api, name),
        'roles': [
            {'id': _get_role(apis.role_api, role)} for role in _PARENT_ROLES
        ],
    })


def _get_project(api: Any, name: str) -> str:
    from keystone import exception

    try:
        return api.get_project_by_name(name, _DOMAIN)['id']
    except exception.ProjectNotFound:
        identifier = new_id()
        api.create_project(identifier, {
            'id': identifier, 'name': name, 'domain_id': _DOMAIN,
            'enabled': True, 'description': '',
        })
        return identifier


def _set_user(api: Any, name: str, password: str) -> str:
    from keystone import exception

    try:
        user = api.get_user_by_name(name, _DOMAIN)
    except exception.UserNotFound:
        return api.create_user({
            'name': name, 'domain_id': _DOMAIN, 'enabled': True,
            'password': password,
        })['id']
    try:
        api.driver.authenticate(user['id'], password)
    except AssertionError:
        # The manager's update_user would revoke, with those of before, the
        # tokens that are issued within the same second.
        api.driver.update_user(user['id'], {'password': password})
    return user['id']


def _grant(api: Any, user: str, project: str, role: str) -> None:
    from keystone import exception

    try:
        api.add_role_to_user_and_project(user, project, role)
    except exception.Conflict:
        return


def new_id() -> str:
    """Return an id, as Keystone draws them."""
    return uuid.uuid4().hex
