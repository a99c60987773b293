"""Tests in which real parts of Nova run in the test's process."""

import os

# As nova-scheduler does since Nova 33: threads in place of eventlet. Nova's
# tests choose as their package is imported, and nothing may come before.
os.environ.setdefault('OS_NOVA_DISABLE_EVENTLET_PATCHING', 'true')
import nova.tests.functional  # noqa: F401
