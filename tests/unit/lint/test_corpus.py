"""Lint broken and good configurations, and compare the findings.

A case is a folder: ``case.yaml`` says where it comes from and what is
expected, the other files are what lint is given. ``say`` has words that the
findings have to say, ``silent`` those that they must not.
"""

import pathlib

import testtools
import yaml

from nova_ext.config_files import sources
from nova_ext.core.base.mode import Mode
from nova_ext.lint import checks, linting
from tests.unit.lint import broken

CORPUS = pathlib.Path(__file__).parent / 'corpus'
CASES = sorted(path.parent for path in CORPUS.glob('*/case.yaml'))


def describe(case):
    """Return what a case says about itself."""
    return yaml.safe_load((case / 'case.yaml').read_text())


def report_on(case):
    """Lint a case as its file says, without the Nova of this machine."""
    about = describe(case)
    paths = [
        (sources.FOLDER if (case / name).is_dir() else sources.FILE,
         str(case / name))
        for name in about.get('read', ['nova.conf'])
    ]
    read = sources.read(paths, about.get('layout', 'packages'))
    return linting.lint(
        read, folders=[str(case)], ask_nova=False,
        mode=Mode(about['mode']) if 'mode' in about else None,
        hints=about.get('hints', ()),
    )


def findings(case):
    """Return findings as a case lists them: ``NX101 nova.conf:3``."""
    return sorted(
        f'{one.id} {pathlib.Path(one.file).relative_to(case)}:{one.line}'
        for one in report_on(case).findings
    )


class TestCorpus(testtools.TestCase):
    """Test each case; the tests are added below."""

    def check(self, case):
        """Compare the findings with what the case expects."""
        about = describe(case)
        self.assertEqual(sorted(about['expect']), findings(case))
        text = '\n'.join(
            f'{one.what}; {one.fix}' for one in report_on(case).findings
        )
        for words in about.get('say', ()):
            self.assertIn(words, text)
        for words in about.get('silent', ()):
            self.assertNotIn(words, text)


for _case in CASES:
    def _test(self, case=_case):
        self.check(case)
    _test.__doc__ = describe(_case)['about']
    setattr(TestCorpus, f'test_{_case.name.replace("-", "_")}', _test)


class TestWhole(testtools.TestCase):
    """Test the corpus as a whole."""

    def test_public(self):
        """Have at least 20 cases from public places, which they name."""
        public = {
            str(describe(case)['source']) for case in CASES
            if str(describe(case).get('source', '')).startswith('https://')
        }
        self.assertGreaterEqual(len(public), 20, sorted(public))

    def test_every_kind(self):
        """Have a case of each kind of finding, here or of a plugin alone."""
        ids = {case.id for case in broken.CASES} | {
            line.split()[0] for case in CASES
            for line in describe(case)['expect']
        }
        self.assertEqual({'NX409', 'NX522'}, set(checks.KINDS) - ids)

    def test_good_ones(self):
        """Have good cases of every layout."""
        good = {
            describe(case).get('layout', 'packages') for case in CASES
            if not describe(case)['expect']
        }
        self.assertEqual(
            {'packages', 'devstack', 'kolla', 'openstack-ansible'}, good
        )
