"""The environment in which a command finds a lab."""

import os
import sysconfig
from collections.abc import Mapping

from nova_ext.lab.configuration import bytecode
from nova_ext.lab.state import ports
from nova_ext.lab.state.paths import Place

#: Which lab a command runs in.
NAME = 'NOVA_EXT_LAB'


def variables(place: Place) -> dict[str, str]:
    """Return all variables for a command that a user runs in a lab.

    :returns: this process's own; OS_CLOUD stays if it is set, and no other
        OS_ variable does, since clients would mix it with the lab's.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith('OS_') or name == 'OS_CLOUD'
    }
    scripts = sysconfig.get_path('scripts')
    path = os.environ.get('PATH', os.defpath)
    return {
        'OS_CLOUD': 'admin',
        **direct(bytecode.environment(kept)),
        'OS_CLIENT_CONFIG_FILE': str(place.clouds_file),
        # oslo.config reads [nova_ext_record] file from it.
        'OS_NOVA_EXT_RECORD__FILE': str(place.record),
        NAME: place.name,
        'PATH': f'{scripts}{os.pathsep}{path}',
    }


def direct(inherited: Mapping[str, str]) -> dict[str, str]:
    """Keep a site's proxy out of what is said on this machine.

    :param inherited: the environment that a program would have.
    """
    result = dict(inherited)
    for name in ('no_proxy', 'NO_PROXY'):
        others = [result[name]] if result.get(name) else []
        result[name] = ','.join([*others, ports.ADDRESS])
    return result
