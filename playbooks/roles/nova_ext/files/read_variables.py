"""Print what OpenStack-Ansible's variables say, without our file, as JSON.

Arguments: its folder, and the name of our file.
"""

import json
import pathlib
import re
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
#: The first of these that is set says whether use_queue_manager is on.
QUEUES = (
    'nova_oslomsg_rabbit_queue_manager', 'oslomsg_rabbit_queue_manager',
    'nova_oslomsg_rabbit_quorum_queues', 'oslomsg_rabbit_quorum_queues',
)


#: What openstack-ansible makes its inventory of; our file, as one of extra
#: variables, wins over it.
INVENTORY = (
    'group_vars/**/*', 'host_vars/**/*', 'openstack_user_config.*',
    'conf.d/*',
)


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
        'files': others, 'variables': values,
        'hidden': list(list_hidden(folder)),
        'offers': has_secret(values) or has_secret(
            read(pathlib.Path(folder, own))
        ),
        'queue_manager': has_queue_manager(others),
        'blazar': bool(list_hosts(folder, 'blazar_all')),
        'schedulers': len(list_hosts(folder, 'nova_scheduler')),
    }))


def read(path, names=tuple(DEFAULTS)):
    """Return those variables of a file, as they are written."""
    if not pathlib.Path(path).exists():
        return {}
    try:
        root = yaml.compose(
            pathlib.Path(path).read_text(), Loader=yaml.SafeLoader
        )
        loader = yaml.SafeLoader('')
        return {
            key.value: loader.construct_object(value, deep=True)
            for key, value in (root.value if root else ())
            if key.value in names
        }
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        sys.exit(
            f'{path}:{mark.line + 1 if mark else 0}: this can\'t be taken '
            f'over: {getattr(error, "problem", "no YAML")}'
        )


def list_hidden(folder):
    """Yield which file of the inventory sets which of the variables."""
    pattern = re.compile(
        rf'^[ -]*["\']?({"|".join(DEFAULTS)})["\']?:', re.MULTILINE
    )
    files = {
        path for name in INVENTORY for path in pathlib.Path(folder).glob(name)
        if path.is_file() and path.suffix in ('', '.yml', '.yaml')
    }
    for path in sorted(files):
        text = path.read_text(errors='replace')
        for name in sorted(set(pattern.findall(text))):
            yield f'{path} sets {name}'


def has_queue_manager(paths):
    """Say whether the role turns use_queue_manager on.

    It does where nothing is set. A value that is a template counts as on.
    """
    values = {}
    for path in paths:
        values.update(read(path, QUEUES))
    return next((
        str(values[name]).lower() not in ('false', 'no', 'off', '0')
        for name in QUEUES if name in values
    ), True)


def has_secret(values):
    """Say whether overrides have the offers' secret."""
    overrides = values.get('nova_nova_conf_overrides') or {}
    return bool((overrides.get('nova_ext_offers') or {}).get('secret'))


def list_hosts(folder, group):
    """Return the hosts of a group in OpenStack-Ansible's inventory."""
    inventory = pathlib.Path(folder, 'openstack_inventory.json')
    groups = json.loads(inventory.read_text()) if inventory.exists() else {}
    waiting, seen, hosts = [group], set(), set()
    while waiting:
        name = waiting.pop()
        hosts |= set(groups.get(name, {}).get('hosts', ()))
        seen.add(name)
        waiting += set(groups.get(name, {}).get('children', ())) - seen
    return hosts


if __name__ == '__main__':
    main(*sys.argv[1:])
