"""List plugins and hints over HTTP."""

from nova_ext.api.http.errors import HttpError
from nova_ext.core.base import scheduling_errors as s
from tests.unit.api.base import ApiTestCase, at, placed

HOST = 'compute-00002.example.org'


class InForceTest(ApiTestCase):
    """List the plugins."""

    def test_told(self):
        """List filters, weighers and drivers to operators."""
        for kind, name in (
            ('filters', 'ComputeFilter'), ('weighers', 'RAMWeigher'),
            ('drivers', 'FilterScheduler'),
        ):
            body = self.ask(f'/v1/{kind}')
            self.assertEqual('ctl', body['scheduler'])
            self.assertEqual(name, body[kind][0]['name'])
            self.ask(f'/v1/{kind}', 'manager', 403)

    def test_hints(self):
        """List to every user the hints that have an effect."""
        self.assertEqual({'hints': [{
            'name': 'nova_ext_owner', 'read_by': ['OwnerServersCost'],
        }, {
            'name': 'requested_host',
            'read_by': ['SpecifiedHostFilter', 'SpecifiedHostWeigher'],
        }], 'undeclared': ['RackFilter']}, self.ask('/v1/hints', 'reader'))
        self.ask('/v1/hints', 'nobody', 403)

    def test_recorded(self):
        """List what ran in the newest decision of a stock nova-scheduler."""
        self.backends.fake.error = s.NoSchedulerError('no scheduler')
        made, rebuilt, single = placed(), placed(), placed()
        for n, each in enumerate((made, rebuilt, single)):
            each.at, each.by = at(n), {'host': 'ctl', 'mode': 'plugin'}
        rebuilt.operation = 'rebuild'
        single.attempts[0].weighers = []
        made.attempts[0].weighers[1].multipliers[HOST] = 2.0
        self.ship(made, rebuilt, single)
        self.assertEqual({
            'scheduler': 'ctl', 'decided_at': at(2), 'filters': [
                {'name': 'ComputeFilter', 'source': '', 'hints': None},
            ],
        }, self.ask('/v1/filters'))
        self.assertEqual({
            'scheduler': 'ctl', 'decided_at': at(0), 'weighers': [
                {'name': 'RAMWeigher', 'source': '', 'hints': None,
                 'multiplier': 1.0},
                {'name': 'PCIWeigher', 'source': '', 'hints': None,
                 'multiplier': None},
            ],
        }, self.ask('/v1/weighers'))
        for path in '/v1/drivers', '/v1/hints':
            self.refusal(path, status=503)
        self.backends.fake.error = s.RequestTimeoutError('silent')
        self.assertEqual(at(0), self.ask('/v1/weighers')['decided_at'])
        self.refusal('/v1/drivers', status=504)
        later = placed()
        later.at = at(3)
        self.ship(later)
        for path in '/v1/filters', '/v1/weighers':
            self.refusal(path, status=504)

    def test_neither(self):
        """Name the scheduler that is missing, and not the database."""
        self.backends.fake.error = s.NoSchedulerError('no scheduler')

        def refuse():
            raise HttpError(503, 'no_database', 'none is configured')

        self.patch(self.backends, 'database', refuse)
        for kind in 'filters', 'weighers', 'drivers':
            refusal = self.refusal(f'/v1/{kind}', status=503)
            self.assertIn('no scheduler', refusal)
            self.assertIn('nova-ext-scheduler --check', refusal)
