"""Options of nova.conf that ``--set GROUP.OPTION=VALUE`` gives."""

import re
from collections.abc import Iterable, Mapping

from nova_ext.lab.state.errors import LabError

#: Values by ``GROUP.OPTION``, in the order given.
Settings = dict[str, list[str]]

_NAME = re.compile(r'[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+')


def parse(words: Iterable[str]) -> Settings:
    """Read the words behind ``--set``; a repeated option has many values.

    :raises LabError: for a word of another form.
    """
    settings: Settings = {}
    for word in words:
        name, equals, value = word.partition('=')
        if not equals or '\n' in value:
            raise LabError(f'--set {word}: write GROUP.OPTION=VALUE')
        option = _option('--set', name.strip())
        settings.setdefault(option, []).append(value.strip())
    return settings


def merge(
    remembered: Mapping[str, list[str]],
    given: Mapping[str, list[str]],
    unset: Iterable[str],
) -> Settings:
    """Return what holds after an ``up``.

    :param remembered: what earlier commands set.
    :param given: replaces remembered values, option by option.
    :param unset: options to forget.
    :raises LabError: for an unset option of a wrong form.
    """
    names = {_option('--unset', name) for name in unset}
    return {
        name: list(values)
        for name, values in {**remembered, **given}.items()
        if name not in names
    }


def _option(flag: str, name: str) -> str:
    if not _NAME.fullmatch(name):
        raise LabError(
            f'{flag} {name}: name the option as GROUP.OPTION, '
            'for instance DEFAULT.debug'
        )
    group, _, option = name.partition('.')
    return f'{group}.{option.replace("-", "_")}'
