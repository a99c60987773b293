"""Compare Nova with the releases that nova-ext is tested with."""

import logging
from functools import cache
from importlib import metadata

#: Major version of Nova and the OpenStack release it belongs to.
TESTED = {31: '2025.1', 33: '2026.1', 34: '2026.2'}

LOG = logging.getLogger(__name__)


def describe_untested_release() -> str:
    """Say that Nova's release is not among the tested ones.

    :returns: a sentence; empty for one that is.
    """
    version = metadata.version('nova')
    if int(version.partition('.')[0]) in TESTED:
        return ''
    tested = ', '.join(f'{nova} ({name})' for nova, name in TESTED.items())
    return f'nova-ext is not tested with Nova {version}, but with {tested}'


@cache
def warn_if_untested() -> None:
    """Warn, once a process, of a release that is not tested."""
    if line := describe_untested_release():
        LOG.warning(
            '%s; "nova-ext-status upgrade check" tells whether it fits', line
        )
