"""Apply the fixes that lint prints to configurations of deployers."""

import pathlib
import re

import fixtures
import testtools

from nova_ext.config_files import sources
from nova_ext.core.base.finding import Severity
from nova_ext.lint import linting
from nova_ext.nova_releases import plugins_and_options
from tests.unit.lint import deployed, test_broken

_NAME = re.compile(r'[\w.]*\w')
#: A fix that a script can apply, without what only the author knows.
_LINE = re.compile(
    r'write (?!it |the |one |a |\$\$|options? )[^<]*$|add the lines? [^<]*$'
    r'|remove the line|(LC_ALL=C )?sed |mv |mkdir |cat '
)
_ADDED = re.compile(r'\w+ = [^\s,]+')


def is_line(finding):
    """Say whether a fix is a line, or a command."""
    return finding.severity > Severity.INFO and bool(
        _LINE.match(finding.fix)
    )


def apply(folder, findings):
    """Apply fixes from the end: of a line, the one that counts most."""
    by_line = {}
    for finding in findings:
        # A value may go on over several lines.
        first = test_broken.find_option(finding)[0]
        by_line.setdefault((finding.file, first), []).append(finding)
    for _, fixes in sorted(by_line.items(), reverse=True):
        gone = [
            one for one in fixes
            if re.match(r'sed -i .[\d,]+d|remove the line', one.fix)
        ]
        whole = [one for one in fixes if re.match(r'write \w+ = ', one.fix)]
        added = [one for one in fixes if one.fix.startswith('add the line')]
        names = [one for one in fixes if one not in added]
        for one in gone[:1] or [*(whole[:1] or names), *added]:
            if one in added:
                add(one)
            else:
                test_broken.paste(folder, one)


def add(finding):
    """Add lines above the line of a finding."""
    path = pathlib.Path(finding.file)
    lines = path.read_text().splitlines()
    at = finding.line - 1
    lines[at:at] = _ADDED.findall(finding.fix)
    path.write_text('\n'.join(lines) + '\n')


def render(configuration):
    """Return a configuration as one nova.conf."""
    lines = []
    for group, option in dict.fromkeys(
        name for name, _ in configuration.settings()
    ):
        values = configuration.values(group, option)
        lines.append(f'[{group}]')
        # Lines of a value that begin at the left edge are new options.
        lines += [
            f'{option} = {value.text}'.replace('\n', '\n ')
            for value in values
        ]
    return '\n'.join(lines) + '\n'


def list_kept(configuration, options):
    """Return what Nova has of what a configuration names.

    :param options: names of Nova's options, by group.
    """
    kept = set()
    for (group, option), _ in configuration.settings():
        # Of an option with one value, the last line counts.
        value = configuration.last(group, option)
        if option in options.get(group, ()):
            kept.add((group, option))
        if 'filters' in option or 'weight' in option:
            known = {*plugins_and_options.FILTERS,
                     *plugins_and_options.WEIGHERS}
            kept |= {
                word.rpartition('.')[2] for word in _NAME.findall(value.text)
            } & known
    return kept


class FixesTest(testtools.TestCase):
    """Test each configuration; the tests are added below."""

    def setUp(self):
        """Make the folder, and ask Nova once for its options."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)
        self.declared = test_broken.query_options()

    def read(self, one):
        """Read a configuration."""
        return sources.read([
            (sources.FILE, str(self.folder / name)) for name in one.read
        ], one.layout)

    def lint(self, one):
        """Return the findings of a configuration, without Nova."""
        return linting.lint(
            self.read(one), folders=[str(self.folder)], ask_nova=False
        ).findings

    def write(self, one):
        """Write the files of a configuration."""
        for name, text in {**one.files, **one.plugins}.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes)
                             else text.encode())

    def check(self, one):
        """Apply the fixes, and ask lint and Nova again."""
        self.write(one)
        before = self.lint(one)
        kept = list_kept(self.read(one).configuration, self.declared.options)
        lines = list(filter(is_line, before))
        self.assertGreaterEqual(len(lines), one.lines, before)
        apply(self.folder, lines)

        after = self.lint(one)
        known = {(finding.id, finding.what) for finding in before}
        caused = [
            finding for finding in after
            if is_line(finding) or (finding.id, finding.what) not in known
        ]
        self.assertEqual([], caused)
        configuration = self.read(one).configuration
        self.assertEqual(
            set(), kept - list_kept(configuration, self.declared.options)
        )

    def test_nova(self):
        """Have Nova accept each one in which lint finds no more errors."""
        root = self.folder
        pairs = []
        for number, one in enumerate(deployed.DEPLOYED):
            self.folder = root / str(number)
            self.write(one)
            apply(self.folder, list(filter(is_line, self.lint(one))))
            # Without Nova, a name that nothing provides is only a warning.
            if any(
                finding.severity is Severity.ERROR or finding.id == 'NX101'
                for finding in self.lint(one)
            ):
                continue
            path = self.folder / 'merged.conf'
            path.write_text(render(self.read(one).configuration))
            pairs.append((str(self.folder), [str(path)]))
        self.assertGreater(len(pairs), 3)
        self.assertEqual(
            [[] for _ in pairs], test_broken.ask_nova(pairs)
        )


for _one in deployed.DEPLOYED:
    def _test(self, one=_one):
        self.check(one)
    _test.__doc__ = f'Correct {_one.name}.'
    setattr(
        FixesTest, 'test_' + re.sub(r'\W+', '_', _one.name.lower()), _test
    )
