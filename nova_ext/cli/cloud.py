"""Connect to the cloud that the environment names."""

import contextlib
import logging
import os
from collections.abc import Iterator
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation.text_format import sanitize

#: Variables; either names a cloud.
VARIABLES = ('OS_CLOUD', 'OS_AUTH_URL')

#: Letters of an error.
_LETTERS = 300


def is_named() -> bool:
    """Say whether the environment names a cloud."""
    return any(os.environ.get(name) for name in VARIABLES)


@contextlib.contextmanager
def connect() -> Iterator[Any]:
    """Give a block openstacksdk's connection, and word its errors.

    :raises NovaExtError: in one line, for any error of the connection or of
        the block.
    """
    # Takes a second or two to import.
    import openstack

    # Its warnings repeat what the error says.
    logging.getLogger('keystoneauth').setLevel(logging.ERROR)
    try:
        yield openstack.connect()
    except NovaExtError:
        raise
    except Exception as error:
        raise NovaExtError(
            f'the cloud can\'t be asked: {describe(error)}; OS_CLOUD chooses '
            f'a cloud of clouds.yaml'
        ) from error


def describe(error: Exception) -> str:
    """Return an error's message in one line, without control characters."""
    return sanitize(str(error) or type(error).__name__, _LETTERS)
