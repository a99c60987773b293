"""Print what OpenStack-Ansible's variables say, without our file, as JSON.

Arguments: its folder, and the name of our file.
"""

import json
import pathlib
import sys

import yaml

from nova_ext.config_files import openstack_ansible

#: The variables that ours extends, with their defaults in the role os_nova.
DEFAULTS = {
    'nova_user_pip_packages': [],
    'nova_scheduler_extra_filters': [],
    'nova_nova_conf_overrides': {},
    'nova_scheduler_init_overrides': {},
}


def main(folder, own):
    """Print one JSON object."""
    others = [
        path for path in openstack_ansible.list_files(folder)
        if pathlib.Path(path).name != own
    ]
    values = dict(DEFAULTS)
    for path in others:
        if path > str(pathlib.Path(folder, own)):
            sys.exit(f'{path} is read after {own}, and would win')
        values.update(read(path))
    for name, default in DEFAULTS.items():
        if not isinstance(values[name], type(default)):
            sys.exit(f'{name} is no {type(default).__name__} in {folder}')
    print(json.dumps({
        'files': others, 'variables': values, 'blazar': has_blazar(folder),
    }))


def read(path):
    """Return those variables of a file, as they are written."""
    try:
        root = yaml.compose(
            pathlib.Path(path).read_text(), Loader=yaml.SafeLoader
        )
        loader = yaml.SafeLoader('')
        return {
            key.value: loader.construct_object(value, deep=True)
            for key, value in (root.value if root else ())
            if key.value in DEFAULTS
        }
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        sys.exit(
            f'{path}:{mark.line + 1 if mark else 0}: this can\'t be taken '
            f'over: {getattr(error, "problem", "no YAML")}'
        )


def has_blazar(folder):
    """Say whether OpenStack-Ansible's inventory has a host for Blazar."""
    inventory = pathlib.Path(folder, 'openstack_inventory.json')
    groups = json.loads(inventory.read_text()) if inventory.exists() else {}
    waiting, seen = ['blazar_all'], set()
    while waiting:
        name = waiting.pop()
        group = groups.get(name, {})
        if group.get('hosts'):
            return True
        seen.add(name)
        waiting += set(group.get('children', ())) - seen
    return False


if __name__ == '__main__':
    main(*sys.argv[1:])
