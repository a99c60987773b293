"""Plugins that raise fail their request alone, by name, and clean up."""

from testtools import testcase

from nova_ext.core.explanation.explain import explain
from tests.functional import base, raising


class StockRaisingTest(base.CloudTestCase):
    """Filters and weighers in nova-scheduler itself."""

    manager = None
    enabled_filters = ('ComputeFilter', 'RaisingFilter', 'RaisingNovaFilter')

    def configure(self):
        """Load the plugins from a plain file; allow many servers."""
        self.flags(plugin_files=[raising.__file__], group='nova_ext')
        self.flags(instances=-1, group='quota')

    def check_failure(
        self, name, *hint, servers=1, error='ZeroDivisionError', says=''
    ):
        """Boot with the hint; all must fail, naming the plugin."""
        failed = self.boot_many(
            servers, {'raise': list(hint)}, expected_state='ERROR'
        )
        self.assertEqual(servers, len(failed))
        for server in failed:
            self.assertIn(
                f'{name} raised {error}',
                server['fault']['message'],
            )
            self.assertEqual(
                {}, self._get_allocations_by_server_uuid(server['id']),
                f'{hint} leaves a claim',
            )
        decision = self.decisions()[-1]
        self.assertEqual('failed', decision.outcome, hint)
        self.assertIn(name, decision.message)
        # Operators read what it says; members that there was an error.
        says = says or f'in {hint[0]}'
        text = f'{name} raised {error}: {says}'
        self.assertIn(text, explain(decision).sentence)
        member = explain(decision, hosts=False).sentence
        self.assertIn('an error ended it', member)
        self.assertNotIn(says, member)

    def test_filters_and_weighers(self):
        """Nothing is claimed yet; one may end the program, too."""
        self.check_failure('filter RaisingFilter', 'filter')
        self.check_failure('weigher RaisingWeigher', 'weigher')
        for kind, error in raising.ENDING.items():
            self.check_failure(
                'filter RaisingFilter', 'filter', '0', kind,
                error=error.__name__,
            )
        for name, who in (
            ('filter RaisingNovaFilter', 'nova'),
            ('weigher RaisingWeigher', 'weigher'),
        ):
            self.check_failure(name, who, '0', 'exit', error='SystemExit')
        self.boot()


class RaisingTest(StockRaisingTest):
    """Filters, weighers and drivers in our scheduler."""

    manager = base.OUR_MANAGER
    drivers = ('tests.functional.raising:RaisingScheduler',)

    def test_drivers(self):
        """A driver may raise or exit, before the claim and after it."""
        self.check_failure('driver RaisingScheduler', 'rank')
        self.check_failure('driver RaisingScheduler', 'select')
        self.boot({'raise': 'scheduled'})
        for who in ('rank', 'select'):
            self.check_failure(
                'driver RaisingScheduler', who, '0', 'exit',
                error='SystemExit',
            )
        self.boot({'raise': ['scheduled', '0', 'exit']})

    @testcase.attr('slow')
    def test_later_servers(self):
        """What was claimed for the first servers is given back."""
        for name, *hint in (
            ('filter RaisingFilter', 'filter', '1'),
            ('weigher RaisingWeigher', 'weigher', '1'),
            ('driver RaisingScheduler', 'rank', '1'),
            ('driver RaisingScheduler', 'rank', '2'),
            ('driver RaisingScheduler', 'select'),
        ):
            self.check_failure(name, *hint, servers=2)
        # The same of a filter that answers with something else.
        self.check_failure(
            'filter RaisingFilter', 'verdict', '1', servers=2,
            error='TypeError', says='check() returned no verdict',
        )
