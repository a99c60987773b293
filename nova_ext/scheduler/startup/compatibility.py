"""Say why nova-ext does not load with the installed Nova."""

import contextlib
import re
import traceback
from collections.abc import Iterator
from importlib import metadata
from types import ModuleType

from oslo_config import cfg

from nova_ext.core.base import errors


class IncompatibleError(errors.NovaExtError):
    """Report a Nova that nova-ext does not load with."""


@contextlib.contextmanager
def translate_errors() -> Iterator[None]:
    """Turn what loading raises into an error of one line.

    :raises IncompatibleError: for errors of neither nova-ext nor oslo.config,
        which have one line already.
    """
    try:
        yield
    except (errors.NovaExtError, cfg.Error):
        raise
    except Exception as error:
        raise IncompatibleError(describe_error(error)) from error


def describe_error(error: Exception) -> str:
    """Return the reason, in one line without the error's message.

    The message of an unexpected exception may quote nova.conf.

    :param error: what loading raised.
    """
    name = _get_missing_name(error)
    if name.startswith('nova.'):
        return f'{name} is gone in {_get_version()}; {_REMEDY}'
    where = traceback.extract_tb(error.__traceback__)
    at = f' at {where[-1].filename}:{where[-1].lineno}' if where else ''
    kind = ' '.join(filter(None, (type(error).__name__, name)))
    return (
        f'nova-ext does not load with {_get_version()}: {kind}{at}; {_REMEDY}'
    )


def _get_missing_name(error: Exception) -> str:
    """Return the dotted name that is missing; empty if it is not known."""
    if isinstance(error, ImportError):
        # The error has the name itself from Python 3.12 on only.
        imported = re.match(r"cannot import name '(\w+)'", str(error))
        names = [error.name, imported and imported[1]]
    elif isinstance(error, AttributeError):
        owner = error.obj
        names = [error.name]
        if isinstance(owner, ModuleType):
            names.insert(0, owner.__name__)
        elif isinstance(owner, type):
            names.insert(0, f'{owner.__module__}.{owner.__qualname__}')
    else:
        return ''
    return '.'.join(filter(None, names))


def _get_version() -> str:
    try:
        return f'Nova {metadata.version("nova")}'
    except metadata.PackageNotFoundError:
        return 'this Nova'


_REMEDY = 'keep the older Nova until you upgrade nova-ext'
