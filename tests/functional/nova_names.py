"""Trace which attributes of Nova's objects the scheduler's code uses.

The scheduler's modules are loaded with a call around each object whose
attribute they read or set. The call returns the object.
"""

import ast
import builtins
import importlib.machinery
import sys
import weakref
from types import ModuleType

import fixtures

_CALL = '__note_nova_name__'
#: Classes, which may go, and names that were used, in this order, and how many
#: were judged.
_used = {}
_judged = 0


def install():
    """Trace what is loaded from now on."""
    setattr(builtins, _CALL, _note)
    sys.meta_path.insert(0, _Finder)


def uninstall():
    """Trace nothing of what is loaded from now on: it takes time."""
    sys.meta_path.remove(_Finder)


class ListedNames(fixtures.Fixture):
    """Fail a test that uses names of Nova's that NOVA_API lacks.

    The upgrade check looks for the names that are there.
    """

    def _setUp(self):  # noqa: N802  fixtures' name
        _take_unlisted()
        self.addCleanup(self._check)

    def _check(self):
        if lines := _take_unlisted():
            raise AssertionError(f'Add to NOVA_API: {lines}')


def _take_unlisted():
    """Return the lines that NOVA_API lacks; each is returned once.

    A module's names, and those that are read from a class, are found by
    ``tests.unit.scheduler.base.test_nova_api``.
    """
    global _judged
    # It loads modules that are traced.
    from tests import nova_names

    lines = set()
    used = list(_used)
    for reference, name in used[_judged:]:
        cls = reference()
        if cls not in (None, ModuleType) and not issubclass(cls, type | super):
            lines.add(nova_names.find_unlisted(cls, name))
    _judged = len(used)
    lines.discard('')
    return sorted(lines)


def _note(thing, name):
    _used[weakref.ref(type(thing)), name] = None
    return thing


class _Finder(importlib.machinery.PathFinder):
    """Find the scheduler's modules."""

    @classmethod
    def find_spec(cls, fullname, path=None, target=None):
        """Return the module, with a loader that changes it."""
        if not fullname.startswith('nova_ext.scheduler.'):
            return None
        spec = super().find_spec(fullname, path, target)
        if spec is not None:
            spec.loader = _Loader(fullname, spec.origin)
        return spec


class _Loader(importlib.machinery.SourceFileLoader):
    """Load a module's source, changed."""

    def get_code(self, fullname):
        """Compile the changed source, and keep no file of it."""
        path = self.get_filename(fullname)
        tree = _Calls().visit(ast.parse(self.get_data(path), path))
        return compile(
            ast.fix_missing_locations(tree), path, 'exec', dont_inherit=True
        )


class _Calls(ast.NodeTransformer):
    """Call :func:`_note` for each attribute."""

    def visit_Attribute(self, node):
        """Hand the object and the attribute's name to the call."""
        self.generic_visit(node)
        if not node.attr.startswith('__'):
            node.value = ast.copy_location(ast.Call(
                ast.Name(_CALL, ast.Load()),
                [node.value, ast.Constant(node.attr)], [],
            ), node.value)
        return node
