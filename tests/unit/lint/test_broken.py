"""Lint broken configurations, paste what the fixes say, and ask Nova."""

import contextlib
import functools
import io
import json
import pathlib
import re
import shutil
import subprocess
from unittest import mock

import fixtures
import testtools

from nova_ext.config_files import sources
from nova_ext.core.base.finding import Severity
from nova_ext.lint import linting
from nova_ext.nova_releases import declared_options
from tests.unit import forked
from tests.unit.lint import broken

VERDICT = 'tests.unit.lint.nova_verdict'
QUERY = declared_options.query_nova


def query_nova(settings):
    """Query Nova as lint does, in this process, which has imported it."""
    with mock.patch.object(declared_options.subprocess, 'run', run_here):
        return QUERY(settings)


def run_here(words, **how):
    """Run what a child of lint does."""
    written = io.StringIO()
    with mock.patch('sys.stdin', io.StringIO(how['input'])), \
            contextlib.redirect_stdout(written):
        declared_options.main()
    return subprocess.CompletedProcess(words, 0, written.getvalue())


def ask_nova(pairs):
    """Return what Nova raises for pairs of folder and files."""
    answer = forked.run(forked.module(VERDICT), stdin=json.dumps(pairs))
    if answer.returncode:
        raise AssertionError(answer.stderr)
    return json.loads(answer.stdout.splitlines()[-1])


def write(folder, case):
    """Write a case's files to a folder."""
    for name, text in {**case.files, case.file: case.text}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def read(folder, case):
    """Read a case's configuration."""
    path = folder / (case.given or case.file)
    kind = sources.FOLDER if path.is_dir() else sources.FILE
    return sources.read([(kind, str(path))], case.layout)


def paste(folder, finding):
    """Do what a fix says."""
    path = pathlib.Path(finding.file)
    if re.match(r'(LC_ALL=C )?(sed|mv|mkdir|cat|iconv) ', finding.fix):
        subprocess.run(
            ['bash', '-c', finding.fix], check=True, cwd=folder,
        )
        return
    lines = path.read_text().splitlines()
    at, end = find_option(finding)
    added = re.match(r'add the line (.+) before this one', finding.fix)
    for_texts = re.findall(r'line (\d+): write (\S+) for ([^;]+)',
                           finding.fix)
    written = re.findall(r'write (.+?)(?: and (?=write)|$)', finding.fix)
    if added:
        lines.insert(at, added[1])
    elif finding.fix.startswith('remove the line'):
        del lines[at:end]
    elif for_texts:
        for line, new, old in for_texts:
            lines[int(line) - 1] = lines[int(line) - 1].replace(old, new)
    elif written[0].startswith('def '):
        lines[at] = re.sub(r'def .*\)', written[0], lines[at])
    elif ' = ' in written[0] or written[0].startswith('[['):
        written[0], _, group = written[0].partition(' below ')
        if not group:
            lines[at:end] = written
        else:
            del lines[at:end]
            if group not in lines:
                lines.append(group)
            lines.insert(lines.index(group) + 1, written[0])
    else:
        at = finding.line - 1
        lines[at] = replace_name(finding, written[0], lines[at])
    path.write_text('\n'.join(lines) + '\n')


def find_option(finding):
    """Return where the option of a finding begins and ends, in lines."""
    lines = pathlib.Path(finding.file).read_text().splitlines()
    at = finding.line - 1
    end = at + 1
    if not finding.file.endswith('.py'):
        while at and lines[at].startswith((' ', '\t')):
            at -= 1
        while end < len(lines) and lines[end].startswith((' ', '\t')):
            end += 1
    return at, end


def replace_name(finding, new, line):
    """Put a name in the place of the one that a finding complains about."""
    words = re.findall(r'[\w.:/-]+', finding.what)
    old = next(
        word for word in sorted(words, key=len, reverse=True)
        if word in line and word != new
    )
    if old not in new:
        last = new.rpartition('.')
        # What follows the imported name stays.
        if f'{last[0]}.{old}' in line:
            return line.replace(f'{last[0]}.{old}', new)
    if new.startswith('CONF.'):
        return re.sub(r'CONF\.[\w.]+', new, line)
    return line.replace(old, new)


@functools.cache
def query_options():
    """Ask Nova once for its options, without any setting."""
    return query_nova([])


def declare_for(test, read_sources):
    """Have a test ask Nova once for the options of several configurations."""
    known = query_nova([
        (group, option, value.text) for each in read_sources
        for (group, option), value in each.configuration.settings()
    ])
    test.useFixture(fixtures.MonkeyPatch(
        'nova_ext.nova_releases.declared_options.query_nova',
        lambda settings: known,
    ))


class TestBroken(testtools.TestCase):
    """Test each case; the tests are added below."""

    def setUp(self):
        """Make the folder."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        # What depends on the settings is asked where it matters: of a $.
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.nova_releases.declared_options.query_nova',
            lambda settings: query_nova(settings) if any(
                '$' in text for _, _, text in settings
            ) else query_options(),
        ))

    def lint(self, case):
        """Return the findings that count."""
        return [
            one for one in linting.lint(
                read(self.folder, case), folders=[str(self.folder)],
                ask_nova=case.needs_nova,
            ).findings
            if one.severity > Severity.INFO and one.id not in case.others
        ]

    def check(self, case):
        """Find the mistake and no other, and paste what the fix says."""
        write(self.folder, case)
        findings = self.lint(case)
        self.assertEqual(
            [(case.id, str(self.folder / case.at), case.line)],
            [(one.id, one.file, one.line) for one in findings], findings,
        )
        finding, = findings
        self.assertIn(case.cause, finding.what)
        self.assertIn(case.fix, finding.fix)
        for text in (finding.what, finding.fix):
            self.assertNotIn('\n', text)
            self.assertNotIn('s3cret', text)
        if case.pasted:
            paste(self.folder, finding)
            self.assertEqual([], self.lint(case))


for _case in broken.CASES:
    def _test(self, case=_case):
        self.check(case)
    _test.__doc__ = f'Report {_case.name}.'
    _name = re.sub(r'\W+', '_', _case.name.lower()).strip('_')
    setattr(TestBroken, f'test_{_name}', _test)


class TestNova(testtools.TestCase):
    """Ask Nova about the same files, as the last word."""

    def test_verdicts(self):
        """Raise what each case says, and nothing where it says so."""
        root = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        cases = [case for case in broken.CASES if case.nova is not None]
        pairs = []
        for number, case in enumerate(cases):
            folder = root / str(number)
            write(folder, case)
            pairs.append((str(folder), [str(folder / case.file)]))
        wrong = [
            (case.name, case.nova, raised)
            for case, raised in zip(cases, ask_nova(pairs), strict=True)
            if not (any(case.nova in one for one in raised)
                    if case.nova else not raised)
        ]
        self.assertEqual([], wrong)
        shutil.rmtree(root)

    def test_many(self):
        """Have at least 60 cases, each with a name of its own."""
        names = {case.name for case in broken.CASES}
        self.assertEqual(len(broken.CASES), len(names))
        self.assertGreaterEqual(len(names), 60)
