"""Print which names of Nova's manager each class of nova-ext overrides.

Only for a process of its own: it imports every module that may derive from
Nova's manager, and some of these register options.
"""

import importlib
import json
import pkgutil

from nova.scheduler import manager

from nova_ext import scheduler
from nova_ext.lab import trial

#: What Python and Nova's metaclass give every class anew.
_PYTHONS = (
    '__doc__', '__module__', '_periodic_spacing', '_periodic_tasks',
    '__firstlineno__', '__static_attributes__',  # from Python 3.13
)


def import_all(package):
    """Import every module of a package."""
    for module in pkgutil.walk_packages(
        package.__path__, f'{package.__name__}.'
    ):
        importlib.import_module(module.name)


def find_subclasses(cls):
    """Yield all classes of nova-ext that derive from a class."""
    for derived in cls.__subclasses__():
        if derived.__module__.startswith('nova_ext.'):
            yield derived
        yield from find_subclasses(derived)


def main():
    """Print the names by class, as JSON, and Nova's own names."""
    import_all(scheduler)
    import_all(trial)
    novas = set(dir(manager.SchedulerManager))
    print(json.dumps({
        f'{cls.__module__}.{cls.__name__}': [
            name for name in vars(cls)
            if name in novas and name not in _PYTHONS
        ] for cls in find_subclasses(manager.SchedulerManager)
    }))


if __name__ == '__main__':
    main()
