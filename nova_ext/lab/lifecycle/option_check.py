"""Check that nova.conf has the options that ``--set`` names."""

import logging

from nova_ext.core.base import errors
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.lab_state import Settings
from nova_ext.nova_releases.declared_options import Options, list_options


def check(settings: Settings) -> None:
    """Refuse options that nobody declares, and values of a wrong type.

    For other options than those of nova-ext it imports Nova's, which takes
    seconds.

    :raises LabError: with the first problem.
    """
    # It warns of libraries that have no options here.
    logging.getLogger('stevedore').setLevel(logging.ERROR)
    options = list_options(['nova_ext'])
    if not all(_is_declared(name, options) for name in settings):
        options = list_options()
    problem = _find_problem(settings, options)
    if problem is not None:
        raise LabError(problem)


def _is_declared(name: str, options: Options) -> bool:
    group, _, option = name.partition('.')
    return option in options.get(group, {})


def _find_problem(settings: Settings, options: Options) -> str | None:
    """Return the first option that is unknown, or refuses its value."""
    for name, values in settings.items():
        group, _, option = name.partition('.')
        if group not in options:
            return (
                f'--set {name}: nova.conf has no group {group}; '
                f'{errors.suggest_names(group, options)}'
            )
        if option not in options[group]:
            return (
                f'--set {name}: group {group} has no option {option}; '
                f'{errors.suggest_names(option, options[group])}'
            )
        for value in values:
            try:
                options[group][option].type(value)
            except ValueError as error:
                return f'--set {name}={value}: {error}'
    return None
