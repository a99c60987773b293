"""Hold the situations, by theme: each module has a list ``SITUATIONS``."""

import importlib
import pkgutil

from tests.truth.model import Situation


def load() -> list[Situation]:
    """Return all situations, each named by its module and itself.

    :raises ValueError: where two have one name.
    """
    found: dict[str, Situation] = {}
    for module in pkgutil.iter_modules(__path__):
        loaded = importlib.import_module(f'{__name__}.{module.name}')
        for situation in loaded.SITUATIONS:
            name = f'{module.name}: {situation.name}'
            if name in found:
                raise ValueError(f'two situations are named {name}')
            found[name] = Situation(**{**vars(situation), 'name': name})
    return list(found.values())
