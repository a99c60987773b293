"""The options that nova.conf may have, as the Nova installed here has them.

Run as a program it asks Nova's own declarations, in a process of its own:
they take a second to import.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_ext.config_files.configuration import Name, normal
from nova_ext.core.base import errors

#: Option declarations by name by group.
Options = dict[str, dict[str, Any]]

#: Seconds that Nova may take to say what it has.
TIMEOUT_S = 60

# Libraries whose options stand in nova.conf; the list of Nova's own sample.
_NAMESPACES = [
    'nova.conf', 'nova_ext', 'keystonemiddleware.auth_token', 'oslo.log',
    'oslo.messaging', 'oslo.policy', 'oslo.privsep',
    'oslo.service.periodic_task', 'oslo.service.service',
    'oslo.db', 'oslo.db.concurrency', 'oslo.cache', 'oslo.limit',
    'oslo.middleware', 'oslo.concurrency', 'oslo.reports',
    'oslo.versionedobjects', 'osprofiler', 'os_vif',
]


@dataclass(frozen=True)
class Declared:
    """What Nova declares.

    :param options: names by group, aliases that it still reads included.
    :param multi: options that may be given several times.
    :param refused: by option and text, why Nova won't take a value.
    """

    options: Mapping[str, frozenset[str]]
    multi: frozenset[Name]
    refused: Mapping[tuple[str, str, str], str]


def ask(settings: Sequence[tuple[str, str, str]]) -> Declared:
    """Ask the Nova that is installed here.

    :param settings: group, option and text of every setting.
    :raises NovaExtError: when its options can't be had.
    """
    try:
        answer = subprocess.run(  # noqa: S603  this very module
            [sys.executable, '-P', '-m', __name__],
            input=json.dumps(settings), capture_output=True, text=True,
            check=False, timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        raise errors.NovaExtError(
            f'Nova\'s options took over {TIMEOUT_S} s'
        ) from error
    if answer.returncode:
        last = answer.stderr.strip().rpartition('\n')[2]
        raise errors.NovaExtError(f'Nova\'s options can\'t be read: {last}')
    found = json.loads(answer.stdout)
    return Declared(
        {group: frozenset(names) for group, names in found['options'].items()},
        frozenset((group, name) for group, name in found['multi']),
        {(g, o, text): why for g, o, text, why in found['refused']},
    )


def declared() -> Options:
    """The options that nova.conf may have."""
    from keystoneauth1 import loading
    from stevedore import NamedExtensionManager

    found: Options = {}
    manager: NamedExtensionManager[Any] = NamedExtensionManager(
        'oslo.config.opts', _NAMESPACES, invoke_on_load=True
    )
    for extension in manager:
        for group, options in extension.obj or ():
            name = getattr(group, 'name', group) or 'DEFAULT'
            found.setdefault(name, {}).update(
                (option.dest, option) for option in options
            )
    # How a service authenticates is declared by the way it does.
    credentials = {
        option.dest: option
        for option in loading.get_auth_plugin_conf_options('password')
    }
    for options in found.values():
        if 'auth_type' in options:
            options.update(credentials)
    return found


def main() -> None:
    """Read settings from standard input, write what is declared."""
    settings = json.load(sys.stdin)
    options = declared()
    print(json.dumps({
        'options': _names(options),
        'multi': [
            (group, name) for group, named in options.items()
            for name, option in named.items() if option.multi
        ],
        'refused': list(_refused(settings, options)),
    }))


def _names(options: Options) -> dict[str, list[str]]:
    """Names by group as oslo.config compares them, aliases included."""
    found: dict[str, set[str]] = {}
    for group, named in options.items():
        for name, option in named.items():
            found.setdefault(normal(group), set()).add(name)
            for alias in option.deprecated_opts:
                found.setdefault(normal(alias.group or group), set()).add(
                    (alias.name or name).replace('-', '_')
                )
    return {group: sorted(names) for group, names in found.items()}


def _refused(settings: Any, options: Options) -> Any:
    """The settings whose text their option does not take."""
    by_group = {normal(group): named for group, named in options.items()}
    for group, name, text in settings:
        option = by_group.get(group, {}).get(name)
        if option is None or '$' in text:
            continue
        try:
            option.type(text)
        except ValueError as error:
            why = ' '.join(str(error).split())
            if option.secret:  # the message quotes the value
                why = 'a secret that it does not take'
            yield group, name, text, why


if __name__ == '__main__':
    main()
