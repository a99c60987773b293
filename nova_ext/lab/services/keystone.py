"""Configure, fill and load Keystone."""

import dataclasses
import multiprocessing
import os
import secrets
import sys
from collections.abc import Collection, Mapping
from typing import Any

from nova_ext.lab.configuration import config
from nova_ext.lab.process import databases
from nova_ext.lab.process.web import Application
from nova_ext.lab.services import accounts
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter

_ACTIVE_KEYS = 3
_KEYS = 'keys'


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """Describe a service's entry in the catalog.

    :param type: the service's type.
    :param name: the service's name.
    :param path: where its API begins, at the service's port.
    """

    type: str
    name: str
    path: str = ''


def build(
    lab: LabFolder, state: State, reporter: PhaseReporter,
    users: Collection[str], catalog: Mapping[Endpoint, str],
) -> Application:
    """Migrate, load and fill Keystone.

    Each start sets the passwords of users and the ports in the catalog: a
    prepared database has neither.

    :param users: the users of other services.
    :param catalog: URL of each endpoint.
    """
    os.environ['OS_KEYSTONE_CONFIG_DIR'] = str(lab.configuration('keystone'))
    # Keystone parses the command line.
    sys.argv = ['keystone']
    from keystone.common.provider_api import ProviderAPIs
    from keystone.server import wsgi

    # Keystone refuses to load without them.
    _create_keys(lab)
    reporter.report('preparing its database')
    databases.prepare(
        lab, ['keystone.sqlite'],
        databases.cache_key('keystone', __file__), lambda: _migrate(lab),
    )
    reporter.report('setting accounts and catalog')
    application = wsgi.initialize_public_application()
    accounts.set_accounts(ProviderAPIs, state, users)
    _set_catalog(ProviderAPIs.catalog_api, catalog)
    return application


def configure(lab: LabFolder, state: State) -> config.Files:
    """Return Keystone's files."""
    keys = config.escape(lab.path / _KEYS)
    return {'etc/keystone/keystone.conf': config.render({
        'DEFAULT': config.LOGGING,
        'database': {'connection': config.database_url(lab, 'keystone')},
        'cache': {'enabled': True, 'backend': 'oslo_cache.dict'},
        'fernet_tokens': {'key_repository': f'{keys}/fernet'},
        'fernet_receipts': {'key_repository': f'{keys}/fernet'},
        'credential': {'key_repository': f'{keys}/credential'},
        # Slow hashes would not protect random passwords any better.
        'identity': {
            'password_hash_rounds': 4,
            # bcrypt takes no more, and warns each time that it cuts one.
            'max_password_length': 72,
        },
    })}


def _migrate(lab: LabFolder) -> None:
    """Migrate and bootstrap in a child process.

    Keystone's bootstrap loads its back ends, which a process can do once.
    """
    child = multiprocessing.get_context('fork').Process(
        target=_bootstrap, args=(lab,)
    )
    child.start()
    child.join()
    if child.exitcode:
        raise LabError('its database could not be prepared')


def _bootstrap(lab: LabFolder) -> None:
    from keystone import server
    from keystone.cmd import bootstrap
    from keystone.common.sql import upgrades

    server.configure(
        config_files=[str(lab.configuration('keystone') / 'keystone.conf')]
    )
    upgrades.offline_sync_database_to_version()
    bootstrapper = bootstrap.Bootstrapper()
    bootstrapper.admin_username = bootstrapper.project_name = 'admin'
    bootstrapper.admin_role_name = 'admin'
    bootstrapper.admin_password = secrets.token_urlsafe()
    bootstrapper.region_id = config.REGION
    bootstrapper.immutable_roles = True
    bootstrapper.bootstrap()


def _create_keys(lab: LabFolder) -> None:
    """Create the keys of tokens and credentials; existing ones stay."""
    from keystone.common import fernet_utils

    for group, name in (
        ('fernet_tokens', 'fernet'), ('credential', 'credential')
    ):
        keys = fernet_utils.FernetUtils(
            str(lab.path / _KEYS / name), _ACTIVE_KEYS, group
        )
        keys.create_key_directory()
        keys.initialize_key_repository()


def _set_catalog(api: Any, catalog: Mapping[Endpoint, str]) -> None:
    services = {
        service['type']: service['id'] for service in api.list_services()
    }
    known = {
        (row['service_id'], row['interface']): row
        for row in api.list_endpoints()
    }
    for endpoint, url in catalog.items():
        if endpoint.type not in services:
            services[endpoint.type] = identifier = accounts.new_id()
            api.create_service(identifier, {
                'id': identifier, 'type': endpoint.type,
                'name': endpoint.name, 'enabled': True,
            })
        service = services[endpoint.type]
        for interface in ('public', 'internal'):
            before = known.get((service, interface))
            if before is None:
                identifier = accounts.new_id()
                api.create_endpoint(identifier, {
                    'id': identifier, 'service_id': service,
                    'interface': interface, 'region_id': config.REGION,
                    'url': url, 'enabled': True,
                })
            elif before['url'] != url:
                api.update_endpoint(before['id'], {'url': url})
