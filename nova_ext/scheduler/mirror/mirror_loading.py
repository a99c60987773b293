"""Make a scheduler's mirror, if it is wanted; numpy is imported then alone."""

import importlib
from collections.abc import Callable
from importlib import metadata
from typing import Any

from nova_ext.core.base.errors import ConfigurationError
from nova_ext.scheduler.base import options

_OPTION = '[nova_ext] mirror'
#: Nova runs on threads from it on.
_FIRST_RELEASE = 33


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
    if not options.CONF.nova_ext_record.enabled:
        raise ConfigurationError(
            _OPTION, wanted, 'what differs is recorded, but nothing is',
            'set [nova_ext_record] enabled = true',
        )
    try:
        return importlib.import_module('nova_ext.scheduler.mirror.mirror')
    except ModuleNotFoundError as error:
        if error.name != 'numpy':
            raise
        raise ConfigurationError(
            _OPTION, wanted, 'numpy is not installed',
            'install numpy>=1.26 beside Nova',
        ) from error
