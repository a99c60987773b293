"""Query the Nova installed here for the options that nova.conf may have.

Nova's declarations take a second to import, so they are read in a child
process, which runs this module as a program.
"""

import functools
import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from oslo_config import types

from nova_ext.config_files.configuration import Name, normalize_group
from nova_ext.core.base import errors
from nova_ext.nova_releases.undefined_names import find_undefined

#: Option declarations by name by group.
Options = dict[str, dict[str, Any]]

#: Group, option and text.
Setting = tuple[str, str, str]

#: Seconds that the child process may take.
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
class DeclaredOptions:
    """Hold the options that Nova declares.

    :param options: names by group, aliases that it still reads included.
    :param multi: options that may be given several times.
    :param refused: why Nova refuses a value, by group, option and text.
    :param types: ``list``, ``number``, ``flag`` or ``text``, by option.
    :param secret: options whose values nobody may print.
    :param readable: the names that code reads, without aliases.
    :param undefined: the names behind a ``$`` that stand for no option, by
        group, option and text.
    """

    options: Mapping[str, frozenset[str]] = field(default_factory=dict)
    multi: frozenset[Name] = frozenset()
    refused: Mapping[Setting, str] = field(default_factory=dict)
    types: Mapping[Name, str] = field(default_factory=dict)
    secret: frozenset[Name] = frozenset()
    readable: Mapping[str, frozenset[str]] = field(default_factory=dict)
    undefined: Mapping[Setting, list[str]] = field(default_factory=dict)


def query_nova(settings: Sequence[tuple[str, str, str]]) -> DeclaredOptions:
    """Query the Nova that is installed here.

    :param settings: group, option and text of every setting.
    :raises NovaExtError: when its options can't be read.
    """
    try:
        answer = subprocess.run(  # noqa: S603  this very module
            [sys.executable, '-P', '-m', __name__],
            input=json.dumps(settings), capture_output=True, text=True,
            check=False, timeout=TIMEOUT_S,
        )
    except subprocess.TimeoutExpired as error:
        raise errors.NovaExtError(
            f'Nova\'s options took over {TIMEOUT_S} s; try again, or leave '
            'them out by --no-nova'
        ) from error
    if answer.returncode:
        last = answer.stderr.strip().rpartition('\n')[2]
        raise errors.NovaExtError(f'Nova\'s options can\'t be read: {last}')
    declared = json.loads(answer.stdout)
    return DeclaredOptions(
        _freeze(declared['options']), _to_names(declared['multi']),
        {(g, o, text): why for g, o, text, why in declared['refused']},
        {(g, o): kind for g, o, kind in declared['types']},
        _to_names(declared['secret']), _freeze(declared['readable']),
        {(g, o, text): names for g, o, text, names in declared['undefined']},
    )


def _freeze(names: Mapping[str, list[str]]) -> dict[str, frozenset[str]]:
    return {group: frozenset(listed) for group, listed in names.items()}


def _to_names(pairs: list[tuple[str, str]]) -> frozenset[Name]:
    return frozenset((group, name) for group, name in pairs)


def list_options(namespaces: Sequence[str] = _NAMESPACES) -> Options:
    """Return the options that nova.conf may have.

    :param namespaces: whose, of oslo.config's generator of samples.
    """
    from stevedore import NamedExtensionManager

    result: Options = {}
    manager: NamedExtensionManager[Any] = NamedExtensionManager(
        'oslo.config.opts', namespaces, invoke_on_load=True
    )
    for extension in manager:
        for group, options in extension.obj or ():
            name = getattr(group, 'name', group) or 'DEFAULT'
            result.setdefault(name, {}).update(
                (option.dest, option) for option in options
            )
    for options in result.values():
        if 'auth_type' in options:
            options.update(_list_credentials())
    return result


@functools.cache
def _list_credentials() -> dict[str, Any]:
    """Return the options of all plugins that authenticate a service."""
    from keystoneauth1 import loading

    return {
        option.dest: option
        for plugin in loading.get_available_plugin_names()
        for option in loading.get_auth_plugin_conf_options(plugin)
    }


def main() -> None:
    """Read settings from standard input, and write what is declared."""
    settings = json.load(sys.stdin)
    options = list_options()
    each = [
        (normalize_group(group), option)
        for group, named in options.items() for option in named.values()
    ]
    print(json.dumps({
        'options': _names(options),
        'readable': {
            normalize_group(group): sorted(named)
            for group, named in options.items()
        },
        'multi': [
            (group, option.dest) for group, option in each if option.multi
        ],
        'secret': [
            (group, option.dest) for group, option in each if option.secret
        ],
        'types': [
            (group, option.dest, name_type(option.type))
            for group, option in each
        ],
        'refused': list(_find_refused(settings, options)),
        'undefined': list(find_undefined(settings, options)),
    }))


def name_type(known: Any) -> str:
    """Return ``list``, ``number``, ``flag`` or ``text`` of an option's type.

    :param known: an instance of one of oslo.config's types.
    """
    kinds = {
        types.List: 'list', types.Number: 'number', types.Boolean: 'flag'
    }
    return next((
        name for kind, name in kinds.items() if isinstance(known, kind)
    ), 'text')


def _names(options: Options) -> dict[str, list[str]]:
    """Return names by group as oslo.config compares them, with aliases."""
    names: dict[str, set[str]] = {}
    for group, named in options.items():
        for name, option in named.items():
            # Where a name has dashes, oslo.config reads both.
            names.setdefault(normalize_group(group), set()).update(
                (name, option.name)
            )
            for alias in option.deprecated_opts:
                home = normalize_group(alias.group or group)
                listed = names.setdefault(home, set())
                listed.update((
                    alias.name or name, (alias.name or name).replace('-', '_')
                ))
    return {group: sorted(listed) for group, listed in names.items()}


def _find_refused(settings: Any, options: Options) -> Any:
    """Generate the settings whose option refuses their text."""
    by_group = {
        normalize_group(group): {
            name: option for option in named.values()
            for name in (option.dest, option.name)
        } for group, named in options.items()
    }
    for group, name, text in settings:
        option = by_group.get(group, {}).get(name)
        if option is None or '$' in text:
            continue
        try:
            option.type(text)
        except ValueError as error:
            why = ' '.join(str(error).split())
            if option.secret:  # the message quotes the value
                why = 'it does not take this secret'
            yield group, name, text, why


if __name__ == '__main__':
    main()
