"""Keystone as the lab runs it."""

import dataclasses
import multiprocessing
import os
import secrets
import sys
import uuid
from collections.abc import Collection, Mapping
from typing import Any

from nova_ext.lab.configuration import config, ini
from nova_ext.lab.process import databases
from nova_ext.lab.process.web import Application
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import Place
from nova_ext.lab.state.phase import Reporter

_ACTIVE_KEYS = 3
_KEYS = 'keys'
_DOMAIN = 'default'

# User, whose password it has, project, roles there.
_ACCOUNTS = (
    ('admin', 'admin', 'admin', ('admin',)),
    ('demo', 'demo', 'demo', ('member', 'reader')),
)
_SERVICE_ROLES = ('admin', 'service')


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """What a service has in the catalog.

    :param type: the service's type.
    :param name: the service's name.
    :param path: where its API begins, at the service's port.
    """

    type: str
    name: str
    path: str = ''


def build(
    place: Place, state: State, reporter: Reporter, users: Collection[str],
    catalog: Mapping[Endpoint, str],
) -> Application:
    """Migrate, load and fill Keystone.

    Each start gives the users the lab's passwords and the catalog its
    ports, so that neither needs to be in a prepared database.

    :param users: the users of other services.
    :param catalog: URL of each endpoint.
    """
    os.environ['OS_KEYSTONE_CONFIG_DIR'] = str(place.configuration('keystone'))
    # Keystone parses the command line.
    sys.argv = ['keystone']
    from keystone.common.provider_api import ProviderAPIs
    from keystone.server import wsgi

    # Keystone refuses to load without them.
    _make_keys(place)
    reporter.tell('preparing its database')
    databases.prepare(
        place, ['keystone.sqlite'],
        databases.key('keystone', __file__), lambda: _migrate(place),
    )
    reporter.tell('setting accounts and catalog')
    application = wsgi.initialize_public_application()
    _set_accounts(ProviderAPIs, state, users)
    _set_catalog(ProviderAPIs.catalog_api, catalog)
    return application


def configure(place: Place, state: State) -> config.Files:
    """Return Keystone's files."""
    keys = ini.literal(place.folder / _KEYS)
    return {'etc/keystone/keystone.conf': ini.render({
        'DEFAULT': config.LOGGING,
        'database': {'connection': config.database(place, 'keystone')},
        'cache': {'enabled': True, 'backend': 'oslo_cache.dict'},
        'fernet_tokens': {'key_repository': f'{keys}/fernet'},
        'fernet_receipts': {'key_repository': f'{keys}/fernet'},
        'credential': {'key_repository': f'{keys}/credential'},
        # The lab's passwords are random; slow hashes would protect nothing.
        'identity': {
            'password_hash_rounds': 4,
            # What bcrypt takes; more is cut, with a warning each time.
            'max_password_length': 72,
        },
    })}


def _migrate(place: Place) -> None:
    """Migrate and bootstrap in a child process.

    Keystone's bootstrap loads its back ends, which a process can do once.
    """
    child = multiprocessing.get_context('fork').Process(
        target=_bootstrap, args=(place,)
    )
    child.start()
    child.join()
    if child.exitcode:
        raise LabError('its database could not be prepared')


def _bootstrap(place: Place) -> None:
    from keystone import server
    from keystone.cmd import bootstrap
    from keystone.common.sql import upgrades

    server.configure(
        config_files=[str(place.configuration('keystone') / 'keystone.conf')]
    )
    upgrades.offline_sync_database_to_version()
    first = bootstrap.Bootstrapper()
    first.admin_username = first.project_name = 'admin'
    first.admin_role_name = 'admin'
    first.admin_password = secrets.token_urlsafe()
    first.region_id = config.REGION
    first.immutable_roles = True
    first.bootstrap()


def _make_keys(place: Place) -> None:
    """Make the keys of tokens and credentials; existing ones stay."""
    from keystone.common import fernet_utils

    for group, name in (
        ('fernet_tokens', 'fernet'), ('credential', 'credential')
    ):
        keys = fernet_utils.FernetUtils(
            str(place.folder / _KEYS / name), _ACTIVE_KEYS, group
        )
        keys.create_key_directory()
        keys.initialize_key_repository()


def _set_accounts(apis: Any, state: State, users: Collection[str]) -> None:
    roles = {
        role['name']: role['id']
        for role in apis.role_api.list_roles()
    }
    services = [(user, 'service', 'service', _SERVICE_ROLES) for user in users]
    for user, password, project, granted in (*_ACCOUNTS, *services):
        identifier = _user(apis.identity_api, user, state.passwords[password])
        where = _project(apis.resource_api, project)
        for role in granted:
            _grant(apis.assignment_api, identifier, where, roles[role])


def _project(api: Any, name: str) -> str:
    from keystone import exception

    try:
        return api.get_project_by_name(name, _DOMAIN)['id']
    except exception.ProjectNotFound:
        identifier = _identifier()
        api.create_project(identifier, {
            'id': identifier, 'name': name, 'domain_id': _DOMAIN,
            'enabled': True, 'description': '',
        })
        return identifier


def _user(api: Any, name: str, password: str) -> str:
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


def _set_catalog(api: Any, catalog: Mapping[Endpoint, str]) -> None:
    services = {each['type']: each['id'] for each in api.list_services()}
    known = {
        (each['service_id'], each['interface']): each
        for each in api.list_endpoints()
    }
    for endpoint, url in catalog.items():
        if endpoint.type not in services:
            services[endpoint.type] = identifier = _identifier()
            api.create_service(identifier, {
                'id': identifier, 'type': endpoint.type,
                'name': endpoint.name, 'enabled': True,
            })
        service = services[endpoint.type]
        for interface in ('public', 'internal'):
            before = known.get((service, interface))
            if before is None:
                identifier = _identifier()
                api.create_endpoint(identifier, {
                    'id': identifier, 'service_id': service,
                    'interface': interface, 'region_id': config.REGION,
                    'url': url, 'enabled': True,
                })
            elif before['url'] != url:
                api.update_endpoint(before['id'], {'url': url})


def _identifier() -> str:
    return uuid.uuid4().hex
