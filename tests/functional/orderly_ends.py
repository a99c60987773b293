"""Services that end before the next test begins.

From Nova 34 on a service ends its manager in a thread and waits
``manager_shutdown_timeout`` for it, 0 s in Nova's tests. On a busy machine
that thread would shut down the executors of the next test.
"""

import fixtures
from nova import service


class OrderlyEnds(fixtures.Fixture):
    """Have a service end its manager in its own thread."""

    def _setUp(self):  # noqa: N802  fixtures' name
        if hasattr(service.Service, '_run_manager_graceful_shutdown'):
            self.useFixture(fixtures.MonkeyPatch(
                'nova.service.Service._run_manager_graceful_shutdown',
                _end_manager,
            ))


def _end_manager(self):
    self.manager.graceful_shutdown(self._get_manager_shutdown_timeout())
