"""Nova with threads, as its own programs run it; Nova 31 has eventlet.

To be called before Nova's other modules load.
"""

import os
from importlib import metadata

from nova_ext.lab.errors import LabError

#: The first release of Nova whose services run on threads.
FIRST = 33


def there() -> bool:
    """Whether the services of the Nova that is installed run on threads."""
    return int(_installed().partition('.')[0]) >= FIRST


def require() -> None:
    """Refuse a Nova whose services can't share a process with its API.

    :raises LabError: for one whose services need eventlet.
    """
    if not there():
        raise LabError(
            f'without a message broker the lab needs Nova {FIRST} or later, '
            f'and Nova {_installed()} is installed; add: --broker rabbit'
        )


def choose() -> None:
    """Choose threads, on which the API runs with every release."""
    os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'] = 'true'
    from nova import monkey_patch

    # An older Nova has looked at the variable, and that was all.
    if there():
        monkey_patch.patch(backend='threading')


def choose_for_services() -> None:
    """Choose what the services of this release run on."""
    if there():
        choose()
    else:
        from nova import monkey_patch  # noqa: F401  loading it is the choice


def _installed() -> str:
    return metadata.version('nova')
