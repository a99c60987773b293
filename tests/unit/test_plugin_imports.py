"""Of nova-ext, plugins import the contract's page alone."""

import ast
import tomllib
from pathlib import Path

import fixtures
import testtools

from nova_ext import plugin
from nova_ext.scaffold import names, package
from nova_ext.scaffold.names import KINDS

ROOT = Path(__file__).parents[2]
PAGE = 'nova_ext.plugin'
TESTING = 'nova_ext.testing'


def imported(path):
    """Names of nova-ext's that a file imports, by module; '' for ``.``."""
    found = {}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update({alias.name: set() for alias in node.names})
        elif isinstance(node, ast.ImportFrom):
            words = {alias.name for alias in node.names}
            if node.module in ('nova_ext', 'nova_ext.core'):
                found.update({f'{node.module}.{w}': set() for w in words})
            else:
                found.setdefault(node.module or '', set()).update(words)
    return {
        module: words for module, words in found.items()
        if module.partition('.')[0] in ('nova_ext', '')
    }


class PluginImportsTest(testtools.TestCase):
    """What authors read as examples."""

    def assert_page_alone(self, paths, *more):
        """Each file imports public names of the page, or of these modules."""
        paths = list(paths)
        self.assertTrue(paths)
        for path in paths:
            found = imported(path)
            allowed = {PAGE, *more}
            self.assertEqual(set(), set(found) - allowed, path)
            self.assertEqual(
                set(), found.get(PAGE, set()) - set(plugin.__all__), path
            )

    def test_shipped(self):
        """Filters, weighers, costs, drivers and collectors."""
        for kind in ('filters', 'weighers', 'costs', 'drivers', 'collectors'):
            self.assert_page_alone(
                (ROOT / 'nova_ext' / kind).glob('*.py'),
                # OfferFilter checks what zones sign.
                'nova_ext.core.base', 'nova_ext.core.base.offer_signature',
            )

    def test_templates(self):
        """What nova-ext new writes, and its tests."""
        parent = Path(self.useFixture(fixtures.TempDir()).path)
        for kind in KINDS:
            named = names.derive(KINDS[kind], f'{kind}_a')
            folder = package.write(named, parent)
            self.assert_page_alone(folder.glob('*.py'))
            self.assert_page_alone(folder.glob('tests/*.py'), TESTING)

    def test_examples(self):
        """Those that entry points name, and the tests that import them."""
        for project in (ROOT / 'examples').glob('*/pyproject.toml'):
            folder = project.parent
            groups = tomllib.loads(project.read_text())['project'][
                'entry-points'
            ]
            modules = {
                entry_point.partition(':')[0]
                for group, named in groups.items()
                if group.startswith('nova_ext.') and group != 'nova_ext.cli'
                for entry_point in named.values()
            }
            self.assert_page_alone(
                folder / f'{module.replace(".", "/")}.py'
                for module in modules
            )
            self.assert_page_alone([
                path for path in (folder / 'tests').glob('*.py')
                if any(f'from {one} ' in path.read_text() for one in modules)
            ], TESTING)

    def test_example_programs(self):
        """They import the contract, the client and what tests use alone."""
        for folder in (ROOT / 'examples').glob('*/'):
            for path in folder.rglob('*.py'):
                self.assertEqual(
                    set(),
                    set(imported(path)) - {PAGE, TESTING, 'nova_ext.client'},
                    path,
                )

    def test_documentation(self):
        """The driver of the user guide."""
        self.assert_page_alone(
            [ROOT / 'doc' / 'source' / 'user' / 'topics' / 'backup.py']
        )

    def test_page(self):
        """It has every name that it hands on, each once."""
        public = plugin.__all__
        self.assertEqual(
            [], [name for name in public if not hasattr(plugin, name)]
        )
        self.assertEqual(len(public), len(set(public)))
