"""Build the environment of commands and services of a lab."""

import contextlib
import importlib.util
import os
import sysconfig
from collections.abc import Container, Mapping
from pathlib import Path

import yaml

from nova_ext.lab.state import paths, ports
from nova_ext.lab.state.paths import LabFolder

#: The variable that names the lab in which a command runs. It tells
#: ``nova-ext doctor`` whose nova.conf to read.
NAME = 'NOVA_EXT_LAB'
#: The cloud of commands that name none.
ADMIN = 'admin'
#: What may be said to a client besides the cloud.
_MICROVERSIONS = ('OS_COMPUTE_API_VERSION', 'OS_PLACEMENT_API_VERSION')


def build_for_command(lab: LabFolder) -> dict[str, str]:
    """Return all variables for a command that a user runs in a lab.

    :returns: this process's own. Of its OS_ variables only microversions
        stay, and OS_CLOUD if it names a cloud of the lab: clients would mix
        the others with the lab's.
    """
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith('OS_') or name in _MICROVERSIONS
    }
    cloud = os.environ.get('OS_CLOUD', ADMIN)
    scripts = sysconfig.get_path('scripts')
    path = os.environ.get('PATH', os.defpath)
    return {
        **bypass_proxies(keep_bytecode(inherited)),
        'OS_CLOUD': cloud if cloud in _list_clouds(lab) else ADMIN,
        'OS_CLIENT_CONFIG_FILE': str(lab.clouds_file),
        # oslo.config reads [nova_ext_record] file from it.
        'OS_NOVA_EXT_RECORD__FILE': str(lab.record),
        NAME: lab.name,
        'PATH': f'{scripts}{os.pathsep}{path}',
    }


def _list_clouds(lab: LabFolder) -> Container[str]:
    """Return the names in a lab's clouds.yaml."""
    with contextlib.suppress(FileNotFoundError):
        names: Container[str] = yaml.safe_load(
            lab.clouds_file.read_text()
        )['clouds']
        return names
    return ()


def bypass_proxies(inherited: Mapping[str, str]) -> dict[str, str]:
    """Add to an environment that no proxy is for this machine."""
    result = dict(inherited)
    for name in ('no_proxy', 'NO_PROXY'):
        others = [result[name]] if result.get(name) else []
        result[name] = ','.join([*others, ports.ADDRESS])
    return result


def keep_bytecode(inherited: Mapping[str, str]) -> dict[str, str]:
    """Change an environment so that a program keeps what it compiles.

    Importing Nova from source takes three times as long. Where
    PYTHONDONTWRITEBYTECODE is set and Nova is not compiled, the compiled
    modules go to the cache folder.
    """
    result = dict(inherited)
    forbidden = result.pop('PYTHONDONTWRITEBYTECODE', '')
    if forbidden and not _is_compiled('nova'):
        result.setdefault(
            'PYTHONPYCACHEPREFIX', str(paths.cache() / 'bytecode')
        )
    elif forbidden:
        result['PYTHONDONTWRITEBYTECODE'] = forbidden
    return result


def _is_compiled(package: str) -> bool:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return False
    return Path(importlib.util.cache_from_source(spec.origin)).exists()
