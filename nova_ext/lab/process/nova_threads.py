"""Nova on threads, or Nova 31 on eventlet.

To be called before Nova's other modules load.
"""

import os
from importlib import metadata

from nova_ext.lab.state.errors import LabError

#: The first release whose services a lab runs on threads.
FIRST = 33


def available() -> bool:
    """Return whether the installed Nova's services run on threads."""
    return int(_installed().partition('.')[0]) >= FIRST


def require() -> None:
    """Refuse a Nova whose services can't share a process with its API.

    :raises LabError: for one whose services need eventlet.
    """
    if not available():
        raise LabError(
            f'without a message broker the lab needs Nova {FIRST} or later, '
            f'and Nova {_installed()} is installed; add: --broker rabbit'
        )


def choose() -> None:
    """Choose threads, on which a lab runs the API of every release."""
    os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'] = 'true'
    from nova import monkey_patch

    # Nova 31's has looked at the variable, and that was all.
    if available():
        monkey_patch.patch(backend='threading')


def choose_for_services() -> None:
    """Choose what a lab runs the services of this release on."""
    if available():
        choose()
    else:
        from nova import monkey_patch  # noqa: F401  loading it is the choice


def _installed() -> str:
    return metadata.version('nova')
