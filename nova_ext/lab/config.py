"""The configuration files of a lab's services."""

import importlib.metadata
import sys
from pathlib import Path

from nova_ext.core import atomic
from nova_ext.lab import ini, nova_config
from nova_ext.lab.errors import LabError
from nova_ext.lab.place import Place
from nova_ext.lab.states import State


def write(place: Place, state: State) -> None:
    """Write every file anew from the state."""
    place.make()
    files = {
        'keystone/keystone.conf': _keystone(place),
        'placement/placement.conf': _placement(place, state),
        'glance/glance-api.conf': _glance(place, state),
        'nova/nova.conf': nova_config.sections(place, state),
    }
    for name, sections in files.items():
        atomic.write(
            place.folder / 'etc' / name, ini.render(sections), mode=0o600
        )
    atomic.write(
        place.configuration('nova') / 'nova-ext-policy.yaml',
        '# Everybody may name the host of a new server in a lab.\n'
        '"nova_ext:requested_host": "@"\n',
    )
    for service, name in (
        ('nova', 'api-paste.ini'), ('glance', 'glance-api-paste.ini')
    ):
        atomic.write(
            place.configuration(service) / name,
            _shipped(service, name).read_text(),
        )


def _keystone(place: Place) -> ini.Sections:
    fernet = ini.literal(place.keystone_keys / 'fernet')
    credential = ini.literal(place.keystone_keys / 'credential')
    return {
        'DEFAULT': _logging(),
        'database': {'connection': nova_config.database(place, 'keystone')},
        'cache': {'enabled': True, 'backend': 'oslo_cache.dict'},
        'fernet_tokens': {'key_repository': fernet},
        'fernet_receipts': {'key_repository': fernet},
        'credential': {'key_repository': credential},
        # The lab's passwords are random; slow hashes would protect nothing.
        'identity': {
            'password_hash_rounds': 4,
            # What bcrypt takes; more is cut, with a warning each time.
            'max_password_length': 72,
        },
    }


def _placement(place: Place, state: State) -> ini.Sections:
    return {
        'DEFAULT': _logging(),
        'placement_database': {
            'connection': nova_config.database(place, 'placement'),
        },
        'keystone_authtoken': nova_config.authtoken(state, 'placement'),
    }


def _glance(place: Place, state: State) -> ini.Sections:
    images = ini.literal(place.images)
    return {
        'DEFAULT': {
            **_logging(),
            'enabled_backends': 'file:file',
            'node_staging_uri': f'file://{images}/staging',
        },
        'glance_store': {'default_backend': 'file'},
        'file': {'filesystem_store_datadir': images},
        'os_glance_staging_store': {
            'filesystem_store_datadir': f'{images}/staging',
        },
        'os_glance_tasks_store': {
            'filesystem_store_datadir': f'{images}/tasks',
        },
        'database': {'connection': nova_config.database(place, 'glance')},
        'paste_deploy': {
            'flavor': 'keystone',
            'config_file': ini.literal(
                place.configuration('glance') / 'glance-api-paste.ini'
            ),
        },
        'oslo_concurrency': {'lock_path': ini.literal(place.locks)},
        'keystone_authtoken': nova_config.authtoken(state, 'glance'),
    }


def _logging() -> dict[str, ini.Value]:
    return {'use_stderr': True, 'debug': False}


def _shipped(project: str, name: str) -> Path:
    """A file that a service's wheel installs below ``<prefix>/etc``."""
    # A user install, or a distribution's scheme, has another prefix.
    for file in importlib.metadata.files(project) or []:
        if file.name == name:
            return Path(str(file.locate())).resolve()
    path = Path(sys.prefix, 'etc', project, name)
    if path.exists():
        return path
    raise LabError(f'{project} lacks its {name}; reinstall {project}')
