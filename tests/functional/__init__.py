"""Tests in which real parts of Nova run in the test's process."""

import os
from importlib import metadata

# As nova-scheduler does since Nova 33: threads in place of eventlet, for
# which Nova's own fixtures are ready since Nova 34. Nova's tests choose as
# their package is imported, and nothing may come before.
if int(metadata.version('nova').partition('.')[0]) >= 34:
    os.environ.setdefault('OS_NOVA_DISABLE_EVENTLET_PATCHING', 'true')
import nova.tests.functional  # noqa: F401

from tests.functional import nova_names

nova_names.install()
