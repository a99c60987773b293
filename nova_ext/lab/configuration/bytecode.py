"""Compiled modules: importing Nova from source takes three times as long."""

import importlib.util
from collections.abc import Mapping
from pathlib import Path

from nova_ext.lab.state import paths


def environment(inherited: Mapping[str, str]) -> dict[str, str]:
    """Let a program keep what it compiles.

    Where PYTHONDONTWRITEBYTECODE is set and the installed packages are not
    compiled, the compiled modules go to the cache folder.

    :param inherited: the environment that the program would have.
    """
    result = dict(inherited)
    forbidden = result.pop('PYTHONDONTWRITEBYTECODE', '')
    if forbidden and not _compiled('nova'):
        result.setdefault(
            'PYTHONPYCACHEPREFIX', str(paths.cache() / 'bytecode')
        )
    elif forbidden:
        result['PYTHONDONTWRITEBYTECODE'] = forbidden
    return result


def _compiled(package: str) -> bool:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return False
    return Path(importlib.util.cache_from_source(spec.origin)).exists()
