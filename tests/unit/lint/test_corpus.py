"""Broken and good configurations, each with the findings it must have.

A case is a folder: ``case.yaml`` says where it comes from and what is
expected, the other files are what lint is given.
"""

import pathlib

import testtools
import yaml

from nova_ext.config_files import sources
from nova_ext.core.base.mode import Mode
from nova_ext.lint import checks, linting

CORPUS = pathlib.Path(__file__).parent / 'corpus'
CASES = sorted(path.parent for path in CORPUS.glob('*/case.yaml'))


def told(case):
    """What a case says about itself."""
    return yaml.safe_load((case / 'case.yaml').read_text())


def report_on(case):
    """Lint a case as its file says, without the Nova of this machine."""
    about = told(case)
    given = [
        (sources.FOLDER if (case / name).is_dir() else sources.FILE,
         str(case / name))
        for name in about.get('read', ['nova.conf'])
    ]
    read = sources.read(
        given, about.get('layout', 'packages'), about.get('host', '')
    )
    return linting.lint(
        read, folders=[str(case)], ask_nova=False,
        mode=Mode(about['mode']) if 'mode' in about else None,
        hints=about.get('hints', ()),
    )


def findings(case):
    """Findings as the file of a case lists them: ``NX101 nova.conf:3``."""
    return sorted(
        f'{one.id} {pathlib.Path(one.file).relative_to(case)}:{one.line}'
        for one in report_on(case).findings
    )


class TestCorpus(testtools.TestCase):
    """One test a case; they are added below."""

    def check(self, case):
        """Compare with what the case expects."""
        self.assertEqual(sorted(told(case)['expect']), findings(case))


for _case in CASES:
    def _test(self, case=_case):
        self.check(case)
    _test.__doc__ = told(_case)['about']
    setattr(TestCorpus, f'test_{_case.name.replace("-", "_")}', _test)


class TestWhole(testtools.TestCase):
    """The corpus as a whole."""

    def test_public(self):
        """At least 20 cases come from public places, which they name."""
        public = {
            str(told(case)['source']) for case in CASES
            if str(told(case).get('source', '')).startswith('https://')
        }
        self.assertGreaterEqual(len(public), 20, sorted(public))

    def test_every_kind(self):
        """Each kind of finding is in some case, but what --load finds."""
        found = {
            line.split()[0] for case in CASES for line in told(case)['expect']
        }
        self.assertEqual({'NX521'}, set(checks.KINDS) - found)

    def test_good_ones(self):
        """There are good ones of every layout."""
        good = {
            told(case).get('layout', 'packages') for case in CASES
            if not told(case)['expect']
        }
        self.assertEqual(set(sources.LAYOUTS), good)
