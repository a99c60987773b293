"""All checks in turn."""

import testtools

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.doctor.check import Check, Finding, NotRunError
from nova_ext.doctor.checks import CHECKS
from nova_ext.doctor.examination import examine
from tests.unit.doctor import fake_cloud


def finding(name, severity):
    """A finding."""
    return Finding(name, severity, 'what', 'why', 'fix')


def yielding(*found):
    """A check that comes to this."""
    return Check('some', 'about', lambda facts: iter(found))


def raising(facts):
    """A check that begins and can't go on."""
    yield finding('begun', Severity.INFO)
    raise NotRunError('no fact', 'facts')


class ExaminationTest(testtools.TestCase):
    """What it comes to."""

    def setUp(self):
        """A cloud."""
        super().setUp()
        self.cloud = self.useFixture(fake_cloud.FakeCloud())

    def test_worst_first(self):
        """Whatever the order of the checks."""
        made = examine(self.cloud.facts(), [
            yielding(finding('n', Severity.INFO)),
            yielding(finding('w', Severity.WARNING),
                     finding('e', Severity.ERROR)),
        ])
        self.assertEqual(['e', 'w', 'n'], [each.id for each in made.findings])

    def test_gaps(self):
        """One check that can't go on stops no other, and keeps its word."""
        made = examine(self.cloud.facts(), [
            Check('broken', '', raising), yielding(Unchecked('part', 'more')),
            Check('good', '', lambda facts: iter(())),
        ])
        self.assertEqual(
            [('broken', Unchecked('no fact', 'facts')),
             ('some', Unchecked('part', 'more'))], made.unchecked,
        )
        self.assertEqual(['begun'], [each.id for each in made.findings])
        self.assertEqual(['good'], made.passed)

    def test_no_administrator(self):
        """Who may not even list services is told so."""
        self.cloud.refused['/os-services'] = 403
        error = self.assertRaises(
            NotRunError, examine, self.cloud.facts(), CHECKS
        )
        self.assertIn('it needs credentials of an administrator', str(error))

    def test_placement_away(self):
        """What Nova alone tells is found; the reason stands at the rest."""
        self.cloud.refused['/resource_providers'] = 503
        self.cloud.service('cmp-1')['state'] = 'down'
        made = examine(self.cloud.facts(), CHECKS)
        self.assertEqual(
            ['compute-down'], [each.id for each in made.findings]
        )
        self.assertEqual(
            {'offered', 'limit', 'cells', 'providers', 'inventories',
             'allocations', 'clocks'},
            {name for name, _ in made.unchecked},
        )
        asked = [path for _, path, _ in self.cloud.asked]
        self.assertEqual(
            1, asked.count('/resource_providers?required=COMPUTE_NODE')
        )

    def test_all_about_something(self):
        """Each check has a name of its own and says what it looks at."""
        self.assertEqual(len(CHECKS), len({each.name for each in CHECKS}))
        self.assertTrue(all(each.about for each in CHECKS))

    def test_ten_thousand_hosts(self):
        """A bounded number of requests, whatever the number of hosts."""
        self.cloud = self.useFixture(fake_cloud.FakeCloud(hosts=10_000))
        made = examine(self.cloud.facts(sample=100), CHECKS)
        self.assertEqual(
            ['limit-below-hosts'], [each.id for each in made.findings]
        )
        # Two for each provider of the sample, and eleven pages of nodes.
        self.assertEqual(
            {'compute': 17, 'placement': 203, 'identity': 1}, made.requests
        )
