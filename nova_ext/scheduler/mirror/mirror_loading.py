"""Make a scheduler's mirror, if it is wanted; numpy is imported then alone."""

import importlib
import os
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import ConfigurationError
from nova_ext.scheduler.base import options

_OPTION = '[nova_ext] mirror'
#: Nova runs on threads from it on.
_FIRST_RELEASE = 33
#: The oldest numpy that is tested.
_NUMPY = (1, 26)
#: Characters of what numpy says.
_MAX_LENGTH = 200


def load(host_manager: Any, get_client: Callable[[], Any]) -> Any:
    """Return the mirror that is configured; None for ``off``.

    :param host_manager: Nova's.
    :param get_client: returns Nova's report client.
    :raises ConfigurationError: where it can't be used here.
    """
    module = import_module()
    return None if module is None else module.Mirror(host_manager, get_client)


def import_module() -> Any:
    """Return the mirror's module, where one is configured; None for ``off``.

    :raises ConfigurationError: where it can't be used here.
    """
    wanted = options.CONF.nova_ext.mirror
    if wanted == 'off':
        return None
    if int(metadata.version('nova').partition('.')[0]) < _FIRST_RELEASE:
        raise ConfigurationError(
            _OPTION, wanted, f'it needs Nova {_FIRST_RELEASE} or later',
            'remove the option',
        )
    _check_numpy(wanted)
    return importlib.import_module('nova_ext.scheduler.mirror.mirror')


def _check_numpy(wanted: str) -> None:
    """Check that numpy is there, and new enough.

    :raises ConfigurationError: where it is not.
    """
    wrong = ''
    try:
        numpy = importlib.import_module('numpy')
    except ImportError as error:
        # numpy of another Python writes a page.
        said = ' '.join(str(error).split())[:_MAX_LENGTH]
        wrong = (
            'numpy is not installed' if error.name == 'numpy'
            else f'numpy can\'t be imported: {said}'
        )
    else:
        release = tuple(map(int, numpy.__version__.split('.')[:2]))
        if release < _NUMPY:
            wrong = f'numpy is of version {numpy.__version__}'
    if wrong:
        raise ConfigurationError(
            _OPTION, wanted, wrong,
            f'install numpy>={".".join(map(str, _NUMPY))} beside Nova',
        )


def check() -> None:
    """Check that the configured mirror would load.

    A scheduler starts, too, where its file can't be made: Nova decides then.

    :raises ConfigurationError: where it would not.
    """
    if import_module() is None:
        return
    path = Path(options.CONF.nova_ext.mirror_path).absolute()
    there = next(
        each for each in (path, *path.parents) if os.path.lexists(each)
    )
    if not there.is_dir():
        wrong = f'{there} is not a folder'
    elif not os.access(there, os.W_OK | os.X_OK):
        wrong = f"{there} can't be written to"
    else:
        return
    raise ConfigurationError(
        '[nova_ext] mirror_path', str(path), wrong,
        'name a folder that the user of nova-scheduler may write to',
    )
