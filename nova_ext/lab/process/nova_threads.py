"""Choose threads for Nova, or eventlet for Nova 31.

Call it before Nova's other modules load.
"""

import os
from importlib import metadata

from nova_ext.lab.state.errors import LabError

#: The first release whose services a lab runs on threads.
FIRST = 33


def available() -> bool:
    """Say whether the installed Nova's services run on threads."""
    return int(_nova_version().partition('.')[0]) >= FIRST


def require() -> None:
    """Refuse a Nova whose services can't share a process with its API.

    :raises LabError: when the services need eventlet.
    """
    if not available():
        raise LabError(
            f'without a message broker the lab needs Nova {FIRST} or later, '
            f'and Nova {_nova_version()} is installed; add: --broker rabbit'
        )


def choose() -> None:
    """Choose threads, on which a lab runs the API of every release."""
    os.environ['OS_NOVA_DISABLE_EVENTLET_PATCHING'] = 'true'
    from nova import monkey_patch

    # Nova 31 needs the variable only, which the import has read.
    if available():
        monkey_patch.patch(backend='threading')


def choose_for_services() -> None:
    """Choose threads for the services, or eventlet where they need it."""
    if available():
        choose()
    else:
        from nova import monkey_patch  # noqa: F401  loading it is the choice


def _nova_version() -> str:
    return metadata.version('nova')
