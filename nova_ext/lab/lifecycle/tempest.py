"""Prepare a workspace in which Tempest tests a lab."""

import importlib.util
from pathlib import Path

from nova_ext.core.base import atomic_file
from nova_ext.lab.configuration import config
from nova_ext.lab.configuration.config import REGION
from nova_ext.lab.lifecycle import cloud_setup
from nova_ext.lab.services import layout, servers
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder

#: A client's address in each group of IPScheduler, by its default rules.
_GROUPS = '10.1.0.5:doc,10.2.0.5:ops,192.0.2.5:dev'
# Services whose port has their name.
_SERVICES = ('cinder', 'glance', 'nova', 'swift')
_DRIVER = 'nova_ext.scheduler_driver'
_POLICY = 'nova_ext.policy_file'


def prepare(lab: LabFolder, state: State) -> Path:
    """Write tempest.conf and stestr's configuration.

    :returns: the folder to run ``tempest`` in.
    :raises LabError: when Tempest is not installed, or an image is missing.
    """
    spec = importlib.util.find_spec('tempest')
    if spec is None or spec.origin is None:
        raise LabError(
            'Tempest is not installed here; pip install '
            '\'nova-ext[lab,tempest]\' brings it'
        )
    folder = lab.path / 'tempest'
    (folder / 'etc').mkdir(parents=True, exist_ok=True)
    atomic_file.write(
        folder / 'etc' / 'tempest.conf',
        config.render(_sections(lab, state, folder)), mode=0o600,
    )
    package = Path(spec.origin).parent
    atomic_file.write(folder / '.stestr.conf', config.render({'DEFAULT': {
        'test_path': str(package / 'test_discover'),
        'top_dir': str(package),
        'group_regex': r'([^\.]*\.)*',
    }}))
    return folder


def _sections(lab: LabFolder, state: State, folder: Path) -> config.Sections:
    cloud = LabUser(state)
    image, other = (
        servers.find_image(cloud, name)['id'] for name in cloud_setup.IMAGES
    )
    return {
        'DEFAULT': {'log_file': str(folder / 'tempest.log')},
        'oslo_concurrency': {'lock_path': str(folder / 'lock')},
        'auth': {
            'admin_username': 'admin',
            'admin_password': config.escape(state.passwords['admin']),
            'admin_project_name': 'admin',
            'admin_domain_name': 'Default',
            'create_isolated_networks': False,
        },
        'identity': {
            'uri_v3': state.url('keystone', '/v3'),
            'auth_version': 'v3',
            'region': REGION,
        },
        'compute': {
            'image_ref': image,
            'image_ref_alt': other,
            'flavor_ref': '1',
            'flavor_ref_alt': '2',
            'build_interval': 1,
            'max_microversion': 'latest',
            'min_compute_nodes': len(state.hosts),
        },
        'compute-feature-enabled': {
            'cold_migration': len(state.hosts) > 1,
            'personality': False,
            'resize': True,
            'snapshot': False,
            'shelve': False,
            # The fake console has three lines, whatever the server writes.
            'console_output': False,
            'vnc_console': False,
        },
        'validation': {'run_validation': False},
        'service_available': {
            **{name: name in state.ports for name in _SERVICES},
            # A stub that Nova has to ask.
            'neutron': True,
            'nova_ext': True,
        },
        'nova_ext': {
            'scheduler_logs': ','.join(
                str(lab.log(service.name))
                for service in layout.find(state, layout.SCHEDULER)
            ),
            'record': str(lab.record),
            'hint_for_everyone': _POLICY not in state.settings,
            'ip_scheduler_groups': (
                _GROUPS if 'IPScheduler' in state.settings.get(_DRIVER, [])
                else ''
            ),
        },
    }
