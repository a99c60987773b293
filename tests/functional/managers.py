"""A scheduler manager alone, without services around it."""

import contextlib
from pathlib import Path

import fixtures
from nova import test
from nova.tests.functional import fixtures as nova_fixtures
from testtools import testcase

from nova_ext.core.base.mode import Mode
from nova_ext.drivers.filter import FilterScheduler
from nova_ext.scheduler.completion import recorder
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.cycle.effects import LiveEffects, TracedRequest
from tests.functional import base, kept_connections, kept_statements


@contextlib.contextmanager
def recording(request):
    """Record what is decided inside, as our decider does."""
    current = cycle.Cycle(Mode.SCHEDULER, request, [request.instance_uuid])
    with cycle.running(current), TracedRequest(
        request._context, current, FilterScheduler, LiveEffects()
    ):
        yield


class ManagerTestCase(testcase.WithAttributes, test.TestCase):
    """Configures what a manager needs: placement, Nova's filters, a record."""

    def setUp(self):
        """Leave nothing of it to other tests."""
        self.useFixture(fixtures.FakeLogger())
        self.useFixture(kept_connections.KeptConnections())
        self.useFixture(kept_statements.KeptStatements())
        super().setUp()
        self.useFixture(nova_fixtures.PlacementFixture())
        self.record = Path(self.useFixture(fixtures.TempDir()).join('record'))
        self.flags(file=str(self.record), group='nova_ext_record')
        recorder.get.cache_clear()
        self.addCleanup(recorder.get.cache_clear)
        self.flags(
            group='filter_scheduler', available_filters=[base.STOCK_FILTERS],
        )
