"""Keystone as the lab runs it."""

import multiprocessing
import os
import secrets
import sys
import uuid

from nova_ext.lab import databases
from nova_ext.lab.errors import LabError
from nova_ext.lab.nova_config import REGION
from nova_ext.lab.phase import Reporter
from nova_ext.lab.place import Place
from nova_ext.lab.states import State
from nova_ext.lab.web import Application

_ACTIVE_KEYS = 3
_DOMAIN = 'default'

# User, whose password it has, project, roles there.
_ACCOUNTS = (
    ('admin', 'admin', 'admin', ('admin',)),
    ('demo', 'demo', 'demo', ('member', 'reader')),
    *(
        (name, 'service', 'service', ('admin', 'service'))
        for name in ('nova', 'placement', 'glance')
    ),
)
# By type: name, whose port it has, path there.
_SERVICES = {
    'identity': ('keystone', 'keystone', '/v3'),
    'compute': ('nova', 'nova', '/v2.1'),
    'placement': ('placement', 'placement', ''),
    'image': ('glance', 'glance', ''),
    'network': ('network', 'network', ''),
    'scheduler': ('nova-ext', 'nova', '/scheduler'),
}


def build(place: Place, state: State, reporter: Reporter) -> Application:
    """Migrate, load and fill Keystone.

    Each start gives the users the lab's passwords and the catalog its
    ports, so that neither needs to be in a prepared database.
    """
    os.environ['OS_KEYSTONE_CONFIG_DIR'] = str(place.configuration('keystone'))
    # Keystone parses the command line.
    sys.argv = ['keystone']
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
    _fill(state)
    return application


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
    first.region_id = REGION
    first.immutable_roles = True
    first.bootstrap()


def _make_keys(place: Place) -> None:
    """Make the keys of tokens and credentials; existing ones stay."""
    from keystone.common import fernet_utils

    for group, name in (
        ('fernet_tokens', 'fernet'), ('credential', 'credential')
    ):
        keys = fernet_utils.FernetUtils(
            str(place.keystone_keys / name), _ACTIVE_KEYS, group
        )
        keys.create_key_directory()
        keys.initialize_key_repository()


def _fill(state: State) -> None:
    from keystone.common.provider_api import ProviderAPIs

    roles = {
        role['name']: role['id']
        for role in ProviderAPIs.role_api.list_roles()
    }
    for user, password, project, granted in _ACCOUNTS:
        identifier = _user(user, state.passwords[password])
        where = _project(project)
        for role in granted:
            _grant(identifier, where, roles[role])
    _catalog(state)


def _project(name: str) -> str:
    from keystone import exception
    from keystone.common.provider_api import ProviderAPIs

    api = ProviderAPIs.resource_api
    try:
        return api.get_project_by_name(name, _DOMAIN)['id']
    except exception.ProjectNotFound:
        identifier = _identifier()
        api.create_project(identifier, {
            'id': identifier, 'name': name, 'domain_id': _DOMAIN,
            'enabled': True, 'description': '',
        })
        return identifier


def _user(name: str, password: str) -> str:
    from keystone import exception
    from keystone.common.provider_api import ProviderAPIs

    api = ProviderAPIs.identity_api
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


def _grant(user: str, project: str, role: str) -> None:
    from keystone import exception
    from keystone.common.provider_api import ProviderAPIs

    try:
        ProviderAPIs.assignment_api.add_role_to_user_and_project(
            user, project, role
        )
    except exception.Conflict:
        return


def _catalog(state: State) -> None:
    from keystone.common.provider_api import ProviderAPIs

    api = ProviderAPIs.catalog_api
    services = {each['type']: each['id'] for each in api.list_services()}
    endpoints = {
        (each['service_id'], each['interface']): each
        for each in api.list_endpoints()
    }
    for kind, (name, service, path) in _SERVICES.items():
        if kind not in services:
            services[kind] = _identifier()
            api.create_service(services[kind], {
                'id': services[kind], 'type': kind, 'name': name,
                'enabled': True,
            })
        for interface in ('public', 'internal'):
            wanted = {
                'service_id': services[kind], 'interface': interface,
                'region_id': REGION, 'url': state.url(service, path),
                'enabled': True,
            }
            found = endpoints.get((services[kind], interface))
            if found is None:
                identifier = _identifier()
                api.create_endpoint(identifier, {'id': identifier, **wanted})
            elif found['url'] != wanted['url']:
                api.update_endpoint(found['id'], {'url': wanted['url']})


def _identifier() -> str:
    return uuid.uuid4().hex
