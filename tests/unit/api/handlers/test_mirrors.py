"""List mirrors over HTTP."""

from nova_ext.core.base import scheduling_errors as s
from tests.unit.api.base import ApiTestCase


class MirrorsTest(ApiTestCase):
    """Mirrors of two workers."""

    def test_listed(self):
        """List the workers to operators."""
        one, other = self.ask('/v1/mirrors')['mirrors']
        self.assertEqual({'no_host': 2}, one['fallbacks'])
        self.assertEqual('off', other['mode'])
        self.ask('/v1/mirrors', 'manager', 403)

    def test_stock(self):
        """Say that a stock nova-scheduler has none."""
        self.backends.fake.error = s.NoSchedulerError('no scheduler')
        self.refusal('/v1/mirrors', status=503)
