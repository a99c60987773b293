"""Test all checks in turn."""

import pathlib
import re

import testtools

from nova_ext.core.base.finding import Severity, Unchecked
from nova_ext.doctor import checks
from nova_ext.doctor.check import DoctorCheck, DoctorFinding, NotRunError
from nova_ext.doctor.checks import CHECKS
from nova_ext.doctor.examination import examine
from tests.unit.doctor import fake_cloud

GUIDE = (
    pathlib.Path(__file__).parents[3] / 'doc/source/user/doctor.rst'
).read_text()


def finding(name, severity):
    """Return a finding."""
    return DoctorFinding(name, severity, 'what', 'why', 'fix')


def yielding(*found):
    """Return a check that yields these."""
    return DoctorCheck('some', lambda facts: iter(found))


def raising(facts):
    """Begin, and lack a fact then."""
    yield finding('begun', Severity.INFO)
    raise NotRunError('no fact', 'facts')


class ExaminationTest(testtools.TestCase):
    """Examine a cloud."""

    def setUp(self):
        """Have a cloud."""
        super().setUp()
        self.cloud = self.useFixture(fake_cloud.FakeCloud())

    def test_worst_first(self):
        """Sort by severity, whatever the order of the checks."""
        result = examine(self.cloud.facts(), [
            yielding(finding('n', Severity.INFO)),
            yielding(finding('w', Severity.WARNING),
                     finding('e', Severity.ERROR)),
        ])
        self.assertEqual(['e', 'w', 'n'], [f.id for f in result.findings])

    def test_gaps(self):
        """Go on after a check that fails, and keep its findings."""
        result = examine(self.cloud.facts(), [
            DoctorCheck('broken', raising),
            yielding(Unchecked('part', 'more')),
            DoctorCheck('good', lambda facts: iter(())),
        ])
        self.assertEqual(
            [('broken', Unchecked('no fact', 'facts')),
             ('some', Unchecked('part', 'more'))], result.unchecked,
        )
        self.assertEqual(['begun'], [each.id for each in result.findings])
        self.assertEqual(['good'], result.passed)

    def test_no_administrator(self):
        """Refuse who may not even list services."""
        self.cloud.refused['/os-services'] = 403
        error = self.assertRaises(
            NotRunError, examine, self.cloud.facts(), CHECKS
        )
        self.assertIn('it needs credentials of an administrator', str(error))

    def test_placement_away(self):
        """Check what Nova alone shows; give the reason for the rest."""
        self.cloud.refused['/resource_providers'] = 503
        self.cloud.service('cmp-1')['state'] = 'down'
        result = examine(self.cloud.facts(), CHECKS)
        self.assertEqual(
            {'api-silent', 'compute-down'},
            {each.id for each in result.findings},
        )
        self.assertEqual(
            {'offered', 'max_placement_results', 'cells', 'providers',
             'inventories', 'allocations', 'metadata', 'clocks'},
            {name for name, _ in result.unchecked},
        )
        asked = [path for _, path, _ in self.cloud.asked]
        self.assertEqual(
            1, asked.count('/resource_providers?required=COMPUTE_NODE')
        )

    def test_nova_away(self):
        """A part of Nova's API that fails is no healthy cloud."""
        self.cloud.refused['/os-hypervisors/detail'] = 500
        result = examine(self.cloud.facts(), CHECKS)
        silent, = (
            each for each in result.findings if each.id == 'api-silent'
        )
        self.assertIn('compute does not answer', silent.what)
        self.assertIn('providers', {name for name, _ in result.unchecked})

    def test_silent_cell(self):
        """The cause is told, and not that Nova's API fails for it."""
        self.cloud.refused['/os-hypervisors/detail'] = 500
        self.cloud.service('cmp-1')['status'] = 'UNKNOWN'
        result = examine(self.cloud.facts(), CHECKS)
        found = {each.id for each in result.findings}
        self.assertIn('cell-silent', found)
        self.assertNotIn('api-silent', found)

    def test_no_scheduler_of_ours(self):
        """In plugin mode nova-ext-api answers 503: nothing is wrong."""
        self.cloud.refused['/v1/mirrors'] = 503
        result = examine(self.cloud.facts(), CHECKS)
        self.assertNotIn(
            'api-silent', {each.id for each in result.findings}
        )

    def test_ten_thousand_hosts(self):
        """Bound the number of requests, whatever the number of hosts."""
        self.cloud = self.useFixture(fake_cloud.FakeCloud(hosts=10_000))
        result = examine(self.cloud.facts(sample=100), CHECKS)
        self.assertEqual(
            ['limit-below-hosts'], [each.id for each in result.findings]
        )
        # Two for each provider of the sample, and eleven pages of nodes.
        self.assertEqual(
            {'compute': 18, 'placement': 203, 'identity': 1, 'image': 1},
            result.requests,
        )


class DocumentationTest(testtools.TestCase):
    """Compare the user guide with the checks."""

    def test_findings(self):
        """List each finding in the guide's table, and nothing else."""
        folder = pathlib.Path(checks.__path__[0])
        source = ''.join(
            path.read_text() for path in (
                *folder.glob('*.py'), folder.parent / 'examination.py',
            )
        )
        kinds = re.findall(r"Finding\(\s*'([\w-]+)'", source)
        self.assertEqual(
            sorted(kinds), sorted(re.findall(r'\* - ``([\w-]+)``', GUIDE))
        )

    def test_checks(self):
        """Name each check in the guide."""
        for each in checks.CHECKS:
            self.assertIn(f'**{each.name}**', GUIDE)
