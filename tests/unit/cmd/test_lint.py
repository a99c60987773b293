"""Run nova-ext lint."""

import json
import os
import pathlib
import re
import textwrap

import fixtures

from nova_ext.core.base.finding import Severity
from nova_ext.lint import checks
from tests.unit.cmd import base
from tests.unit.lint import broken, test_broken

ROOT = pathlib.Path(__file__).parents[3]


class LintTest(base.CommandTestCase):
    """Check formats, exit status and errors."""

    def lint(self, text, *argv):
        """Lint a nova.conf without this machine's Nova."""
        folder = self.useFixture(fixtures.TempDir())
        self.path = folder.join('nova.conf')
        pathlib.Path(self.path).write_text(text)
        return self.run_command(
            'lint', '--no-nova', self.path, *argv
        )

    def test_text(self):
        """Print place, severity, ID and what; why; fix; a summary."""
        status, out, err = self.lint('[scheduler]\nmax_attempts = 0\n')
        lines = out.splitlines()
        self.assertEqual((4, ''), (status, err))
        self.assertEqual(
            f'{self.path}:2: error NX404: [scheduler] max_attempts: '
            f'Should be greater than or equal to 1', lines[0],
        )
        self.assertTrue(lines[1].startswith('    why: '), lines)
        self.assertTrue(lines[2].startswith('    fix: '), lines)
        self.assertEqual('1 error, 0 warnings, 0 infos', lines[-1])
        self.assertIn('Not checked: options outside', out)

    def test_status(self):
        """Exit with 0 for infos, 3 for warnings, 4 for errors."""
        for expected, text in (
            (0, '[scheduler]\nmax_attempts = 3\n'),
            (0, '[nova_ext]\nlog_requests = true\n'),
            (3, '[filter_scheduler]\nhost_subset_sise = 1\n'),
            (4, '[DEFAULT]\nscheduler_driver = x\n'),
        ):
            self.assertEqual(expected, self.lint(text)[0], text)

    def test_json(self):
        """Print all there is, with a version."""
        status, out, _ = self.lint(
            '[nova_ext]\nscheduler_driver = Nobody\n', '-f', 'json'
        )
        found = json.loads(out)
        self.assertEqual((4, 1), (status, found['version']))
        self.assertEqual(
            [('NX606', 'info', 2), ('NX602', 'error', 2)][::-1],
            [(one['id'], one['severity'], one['line'])
             for one in found['findings']],
        )
        self.assertEqual('scheduler', found['needs'][0]['mode'])
        self.assertEqual(
            {'version', 'findings', 'not_checked', 'needs', 'hints'},
            set(found),
        )

    def test_sarif(self):
        """Print rules and results, each with a rule and a place."""
        _, out, _ = self.lint('[scheduler]\nmax_attempts = 0\n', '-f', 'sarif')
        run, = json.loads(out)['runs']
        result, = run['results']
        rules = {rule['id'] for rule in run['tool']['driver']['rules']}
        self.assertEqual(set(checks.KINDS), rules)
        self.assertEqual(
            ('NX404', 'error'), (result['ruleId'], result['level'])
        )
        place = result['locations'][0]['physicalLocation']
        self.assertEqual(2, place['region']['startLine'])
        self.assertEqual(self.path, place['artifactLocation']['uri'])

    def test_explain(self):
        """Explain a kind of finding, in any letter case."""
        status, out, _ = self.run_command('lint', '--explain', 'nx201')
        self.assertEqual(0, status)
        self.assertTrue(out.startswith('NX201: '), out)
        self.assertIn(checks.KINDS['NX201'].why, out)
        self.assertIn('    available_filters = gpu.filters', out)

    def test_explain_unknown(self):
        """Refuse an unknown ID."""
        status, _, err = self.run_command('lint', '--explain', 'NX999')
        self.assertEqual(1, status)
        self.assertIn('nova-ext: no finding has the ID NX999', err)

    def test_guide(self):
        """Print what the guide shows."""
        block = re.search(
            r'\.\. code-block:: console\n\n(   \$ nova-ext lint.*?)\n\n',
            (ROOT / 'doc' / 'source' / 'user' / 'lint.rst').read_text(),
            re.DOTALL,
        )
        command, shown = textwrap.dedent(block[1]).split('\n', 1)
        where = pathlib.Path.cwd()
        self.addCleanup(os.chdir, where)
        os.chdir(ROOT / 'tests' / 'unit' / 'lint' / 'corpus' / 'guide')
        _, out, _ = self.run_command(*command.split()[2:], '--no-nova')
        self.assertEqual(shown + '\n', out)

    def test_absent_file(self):
        """Fail in one line, with another status than a finding's."""
        status, out, err = self.run_command(
            'lint', '/no/such.conf'
        )
        self.assertEqual((1, ''), (status, out))
        self.assertEqual(
            'nova-ext: /no/such.conf: there is no such file or folder here; '
            'lint reads configuration files, folders of them and plugins\' '
            '.py files\n', err,
        )

    def test_broken(self):
        """Print a finding for each mistake, and no traceback."""
        for case in broken.CASES:
            if case.needs_nova:
                continue
            folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
            test_broken.write(folder, case)
            given = folder / (case.given or case.file)
            status, out, err = self.run_command(
                'lint', '--no-nova', '--plugin-path', str(folder), str(given),
                *(['--layout', 'kolla'] if case.layout == 'kolla' else []),
            )
            severity = checks.KINDS[case.id].severity
            if case.warned:
                severity = Severity.WARNING
            self.assertEqual(4 if severity == 3 else 3, status, case.name)
            self.assertEqual('', err, case.name)
            self.assertIn(
                f'{folder / case.at}:{case.line or 1}: {severity} {case.id}: ',
                out,
            )
            self.assertNotIn('Traceback', out)

    def test_wrong_call(self):
        """Refuse an option that is not there in one line, with the usage."""
        status, out, err = self.run_command(
            'lint', '--config-file', 'nova.conf'
        )
        self.assertEqual((2, ''), (status, out))
        self.assertEqual(
            'nova-ext lint: unrecognized arguments: --config-file; write '
            'nova-ext lint [OPTIONS] [FILE ...]; see nova-ext lint --help\n',
            err,
        )

    def test_code(self):
        """Lint a plugin with a configuration, and alone."""
        folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        path = folder / 'racks.py'
        path.write_text(
            'from nova.scheduler import filters\n\n\n'
            'class RackFilter(filters.BaseHostFilter):\n'
            '    def host_passes(self, host_state):\n        return True\n'
        )
        for text in (
            '', '[filter_scheduler]\n'
            'available_filters = nova.scheduler.filters.all_filters\n'
            'available_filters = racks.RackFilter\n'
            'enabled_filters = ComputeFilter,RackFilter\n',
        ):
            status, out, _ = self.lint(text, str(path))
            self.assertEqual(4, status)
            self.assertEqual(1, out.count(f'{path}:5: error NX511'), out)
            self.assertIn('1 error, 0 warnings, 0 infos', out)
        for named in (path, folder):
            status, out, _ = self.run_command('lint', '--no-nova', str(named))
            self.assertEqual(4, status)
            self.assertTrue(out.startswith(f'{path}:5: error NX511'), out)
            self.assertNotIn('Not checked: options', out)

    def test_options(self):
        """Pass hints, mode, layout and folders to the checks."""
        status, out, _ = self.lint(
            '[nova_ext]\nlog_requests = true\n', '--hint', 'zone', '--mode',
            'plugin', '--layout', 'kolla',
        )
        self.assertEqual(4, status)
        self.assertIn('reads the hint zone', out)
        self.assertIn('NX605', out)
        self.assertIn('image', out)
