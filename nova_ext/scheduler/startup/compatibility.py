"""Why nova-ext does not load with the Nova that is installed."""

import contextlib
import re
import traceback
from collections.abc import Iterator
from importlib import metadata
from types import ModuleType

from oslo_config import cfg

from nova_ext.core.base import errors


class UnfitError(errors.NovaExtError):
    """Nova is not what nova-ext was written for."""


@contextlib.contextmanager
def told() -> Iterator[None]:
    """Say in one line what loading raises.

    :raises UnfitError: for all but what has its own words already.
    """
    try:
        yield
    except (errors.NovaExtError, cfg.Error):
        raise
    except Exception as error:
        raise UnfitError(why(error)) from error


def why(error: Exception) -> str:
    """The reason, in one line that quotes no message.

    An exception that nobody expects may hold what stands in nova.conf.

    :param error: what loading raised.
    """
    name = _missing(error)
    if name.startswith('nova.'):
        return f'{name} is gone in {_nova()}; {_REMEDY}'
    where = traceback.extract_tb(error.__traceback__)
    at = f' at {where[-1].filename}:{where[-1].lineno}' if where else ''
    kind = ' '.join(filter(None, (type(error).__name__, name)))
    return f'nova-ext does not load with {_nova()}: {kind}{at}; {_REMEDY}'


def _missing(error: Exception) -> str:
    """The dotted name that is not there; empty where none is told."""
    if isinstance(error, ImportError):
        # It tells the name itself from Python 3.12 on only.
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


def _nova() -> str:
    try:
        return f'Nova {metadata.version("nova")}'
    except metadata.PackageNotFoundError:
        return 'this Nova'


_REMEDY = 'keep the older Nova until you upgrade nova-ext'
