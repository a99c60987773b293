"""Compare the list of Nova's names with what the scheduler's code uses.

The syntax tree shows what is imported, what is read from a module or a class
of Nova by its name, and what a class of ours takes from a class of Nova or
overrides. What is read from other objects the functional tests trace.
"""

import ast
import importlib
import inspect
import pkgutil
import textwrap
from pathlib import Path
from types import ModuleType

from nova import objects

import nova_ext.scheduler
from nova_ext.cmd import scheduler as command
from tests import nova_names
from tests.unit.scheduler import configured

FOLDER = Path(nova_ext.scheduler.__file__).parent
FILES = [Path(command.__file__), *FOLDER.rglob('*.py')]

#: What only some releases have: the name came with Nova 33, the constant with
#: a prefilter that is looked for first, the parameter after Nova 31.
LATER = {'graceful_shutdown', 'MIN_COMPUTE_VERSION_OWNER_TRAIT', 'prog'}


def find_classes():
    """Load all classes of the scheduler."""
    for path in FILES:
        if '\nclass ' in path.read_text():
            parts = path.relative_to(FOLDER.parent).with_suffix('').parts
            module = importlib.import_module('.'.join(('nova_ext', *parts)))
            for cls in vars(module).values():
                if inspect.isclass(cls) and cls.__module__ == module.__name__:
                    yield cls


class UsedNames(ast.NodeVisitor):
    """Collect what code reads from modules and classes of Nova by name.

    :ivar used: owner, name and keywords.
    """

    def __init__(self):
        self.used = []
        self._known = {}

    def visit_Module(self, node):
        """Begin with no names."""
        self._known = {}
        self.generic_visit(node)

    def visit_Try(self, node):
        """Leave out what is imported only if it is there."""
        if not any(
            isinstance(child, ast.Import | ast.ImportFrom)
            for child in node.body
        ):
            self.generic_visit(node)

    def visit_Import(self, node):
        """Know the first part of the name, or all of it by another name."""
        for alias in node.names:
            if nova_names.is_novas(alias.name):
                module = importlib.import_module(alias.name)
                self._known[alias.asname or 'nova'] = (
                    module if alias.asname else importlib.import_module('nova')
                )
                parent, _, name = alias.name.rpartition('.')
                self.used.append((importlib.import_module(parent), name, ()))

    def visit_ImportFrom(self, node):
        """Know each name."""
        if nova_names.is_novas(node.module or ''):
            module = importlib.import_module(node.module)
            for alias in node.names:
                pkgutil.resolve_name(f'{node.module}.{alias.name}')
                self.used.append((module, alias.name, ()))
                self._known[alias.asname or alias.name] = getattr(
                    module, alias.name
                )

    def visit_Call(self, node):
        """Note which parameters have names."""
        self._resolve(node.func, tuple(
            keyword.arg for keyword in node.keywords if keyword.arg
        ))
        self.generic_visit(node)

    def visit_Attribute(self, node):
        """Follow a dotted name."""
        self._resolve(node)
        self.generic_visit(node)

    def _resolve(self, node, keywords=()):
        """Return what a name stands for; None if it is not Nova's."""
        if isinstance(node, ast.Name):
            return self._known.get(node.id)
        if not isinstance(node, ast.Attribute):
            return None
        owner = self._resolve(node.value)
        if not isinstance(owner, type | ModuleType):
            return None
        value = getattr(owner, node.attr, None)
        if isinstance(value, type):
            keywords = ()
        self.used.append((owner, node.attr, keywords))
        return value


class InheritedNames(ast.NodeVisitor):
    """Collect what a class reads from itself and from its parents.

    :ivar names: what is read.
    """

    def __init__(self):
        self.names = set()

    def visit_Attribute(self, node):
        """Note what is read from ``self``, ``cls`` or ``super()``."""
        owner = node.value.func if isinstance(
            node.value, ast.Call
        ) else node.value
        if isinstance(owner, ast.Name) and owner.id in {
            'self', 'cls', 'super'
        }:
            self.names.add(node.attr)
        self.generic_visit(node)


class NovaApiTest(configured.ConfiguredTestCase):
    """Find each name of Nova in the list."""

    def setUp(self):
        """Register Nova's objects."""
        super().setUp()
        objects.register_all()

    def assert_listed(self, used):
        """Fail with the lines that the list lacks."""
        lacking = sorted({
            nova_names.find_unlisted(owner, name, [
                keyword for keyword in keywords if keyword not in LATER
            ]) for owner, name, keywords in used if name not in LATER
        } - {''})
        self.assertEqual([], lacking, 'Add them to NOVA_API')

    def test_imported(self):
        """Imported names, and what is read from them, are listed."""
        used = UsedNames()
        for path in FILES:
            used.visit(ast.parse(path.read_text()))
        self.assertIn(
            (objects, 'RequestSpec', ()), used.used, 'nothing is found'
        )
        self.assert_listed(used.used)

    def test_inherited(self):
        """What our classes inherit and override of Nova's is listed."""
        used = [
            use for cls in find_classes() for use in self.find_inherited(cls)
        ]
        self.assertIn('_get_sorted_hosts', {name for _, name, _ in used})
        self.assert_listed(used)

    def find_inherited(self, cls):
        """Return owner and name of what a class takes from a class of Nova."""
        parents = [
            base for base in cls.__mro__ if nova_names.is_novas(
                base.__module__
            )
        ]
        if not parents:
            return []
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
        inherited = InheritedNames()
        inherited.visit(tree)
        own = {
            target for node in tree.body[0].body for target in (
                getattr(node, 'name', ''), *(
                    getattr(target, 'id', '')
                    for target in getattr(node, 'targets', ())
                ),
            )
        }
        return [
            (parents[0], name, ()) for name in own | inherited.names
            if not name.startswith('__')
        ]
