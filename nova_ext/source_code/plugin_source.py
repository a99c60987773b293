"""Read a plugin class and its base classes from source."""

import ast
import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from nova_ext.core.base.finding import Location
from nova_ext.source_code import module as modules
from nova_ext.source_code.module_finder import Finder

Function = ast.FunctionDef | ast.AsyncFunctionDef


class BrokenError(Exception):
    """Report why the source of a class can't be read, and where.

    :param fix: what to do; empty: it depends on who asks for the class.
    """

    def __init__(
        self, cause: str, location: Location | None = None, fix: str = ''
    ) -> None:
        self.location = location
        self.fix = fix
        super().__init__(cause)


class AbsentError(BrokenError):
    """Report a class whose package is not installed here."""


@dataclass(frozen=True)
class Method:
    """Represent a function, and the module that defines it."""

    module: modules.Module
    node: Function

    @property
    def location(self) -> Location:
        """Return where it is defined."""
        return Location(str(self.module.path), self.node.lineno)


@dataclass
class PluginClass:
    """Represent a class.

    :param ancestry: the class and its base classes as far as their source
        was followed, nearest first.
    :param roots: the dotted names of the base classes where that ended.
    """

    name: str
    ancestry: list[tuple[modules.Module, ast.ClassDef]]
    roots: list[str] = field(default_factory=list)

    @property
    def module(self) -> modules.Module:
        """Return the module of the class itself."""
        return self.ancestry[0][0]

    @property
    def location(self) -> Location:
        """Return where the class is defined."""
        module, node = self.ancestry[0]
        return Location(str(module.path), node.lineno)

    def find_method(self, name: str) -> Method | None:
        """Return the method that Python would find, except Nova's own."""
        for method in self.methods():
            if method.node.name == name:
                return method
        return None

    def methods(self) -> Iterator[Method]:
        """Generate all methods, those of the nearest class first."""
        for module, node in self.ancestry:
            for statement in node.body:
                if isinstance(statement, Function):
                    yield Method(module, statement)

    def find_attribute(self, name: str) -> ast.expr | None:
        """Return the value that a class attribute is given."""
        for _, node in self.ancestry:
            for statement in node.body:
                for target, value in _assignments(statement):
                    if target == name:
                        return value
        return None


#: Methods that only filters, weighers and drivers have, old ones too.
_METHODS = (
    'host_passes', '_weigh_object', 'select_destinations', 'schedule',
    'schedule_run_instance',
)
#: Packages whose classes are not followed: their contracts are known.
ROOTS = ('nova.', 'nova_ext.plugin.')


def _describe_absence(
    finder: Finder, package: str, left: str, module: str
) -> str:
    """Say where a module was looked for.

    :param left: the rest of the path, behind the package that is there.
    :param module: the whole module's name.
    """
    missing = left.rpartition('.')[0] or left
    places = [
        str(folder / Path(*missing.split('.'))) + '.py'
        for folder in finder.find_folders(package)
    ]
    where = f'; there is no {" nor ".join(places)}' if places else ''
    if module == package:
        # A namespace package, which itself has no classes.
        return f'{package} is a folder without {left}{where}'
    return f'{package} has no module {missing}{where}'


class Reader:
    """Read plugin classes, each file once."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._modules: dict[Path, modules.Module] = {}

    def read_module(self, name: str, path: Path) -> modules.Module:
        """Parse a module.

        :raises BrokenError: for a file that is no Python.
        """
        if path not in self._modules:
            try:
                self._modules[path] = modules.parse(name, path)
            except SyntaxError as error:
                raise BrokenError(
                    f'SyntaxError: {error.msg}',
                    Location(str(path), error.lineno or 0),
                    _find_syntax_fix(error.msg),
                ) from error
            except OSError as error:
                raise BrokenError(
                    f'{path} can\'t be read: {error.strerror}'
                ) from error
        return self._modules[path]

    def read_class(self, dotted: str) -> PluginClass:
        """Read a class by its dotted name, as Nova would import it.

        :raises AbsentError: where the top-level package is not installed.
        :raises BrokenError: where its module or the class is not there.
        """
        name, _, class_name = dotted.rpartition('.')
        path = self.finder.find_file(name) if name else None
        if path is None:
            parts = self.finder.split(dotted)
            if parts is None:
                top = dotted.partition('.')[0]
                raise AbsentError(f'no module {top} is installed')
            raise BrokenError(_describe_absence(self.finder, *parts, name))
        module = self.read_module(name, path)
        if module.imports.get(class_name, dotted) != dotted:
            return self.read_class(module.imports[class_name])
        if class_name not in module.classes:
            raise BrokenError(
                f'{path} has no {class_name}', Location(str(path))
            )
        return self._with_bases(module, class_name)

    def find_kind(self, dotted: str) -> str:
        """Return what a dotted path names.

        :returns: ``module``, ``class``, ``function``, ``value`` for another
            name, or empty where it can't be told.
        :raises AbsentError: where the top-level package is not installed.
        :raises BrokenError: where its module or the name is not there.
        """
        name, _, last = dotted.rpartition('.')
        if name and (path := self.finder.find_file(name)):
            module = self.read_module(name, path)
            if last in module.classes:
                return 'class'
            if last in module.functions:
                return 'function'
            if module.is_value(last):
                return 'value'
            if module.imports.get(last, dotted) != dotted:
                with contextlib.suppress(BrokenError):
                    return self.find_kind(module.imports[last])
                return ''
            if last not in module.imports and module.defines(last):
                return ''
        if self.finder.find_file(dotted):
            return 'module'
        self.read_class(dotted)
        return 'class'

    def read_file(self, path: Path) -> list[PluginClass]:
        """Read the classes of a plain file that derive from a known root.

        :raises BrokenError: for a file that is no Python.
        """
        module = self.read_module(path.stem, path)
        plugins = [
            self._with_bases(module, name) for name in module.classes
        ]
        return [plugin for plugin in plugins if plugin.roots]

    def read_plugins(self, name: str, path: Path) -> list[PluginClass]:
        """Read the classes of a module that look like plugins.

        Base classes of others in it are left out where those inherit all
        that they define.

        :raises BrokenError: for a file that is no Python.
        """
        module = self.read_module(name, path)
        bases: dict[str | None, set[str]] = {}
        for node in module.classes.values():
            for base in node.bases:
                bases.setdefault(module.resolve(base), set()).update(
                    _list_methods(node)
                )
        return [
            plugin for plugin in (
                self._with_bases(module, each)
                for each, node in module.classes.items()
                if not each.startswith('_') and (
                    f'{name}.{each}' not in bases
                    or bases[f'{name}.{each}'] & _list_methods(node)
                )
            ) if _looks_like_plugin(plugin)
        ]

    def _with_bases(self, module: modules.Module, name: str) -> PluginClass:
        node = module.classes[name]
        plugin = PluginClass(name, [(module, node)])
        for base in node.bases:
            dotted = module.resolve(base)
            if dotted is None:
                continue
            if dotted.startswith(ROOTS):
                plugin.roots.append(dotted)
                continue
            try:
                above = self.read_class(dotted)
            except BrokenError:
                continue
            plugin.ancestry += above.ancestry
            plugin.roots += above.roots
        return plugin


def _list_methods(node: ast.ClassDef) -> set[str]:
    """Return the methods of a plugin that a class itself defines."""
    return {
        statement.name for statement in node.body
        if isinstance(statement, Function)
    } & {*_METHODS}


def _looks_like_plugin(plugin: PluginClass) -> bool:
    """Say whether a class has the base class or a method of a plugin."""
    return any(
        root.startswith(('nova.scheduler.', 'nova_ext.plugin.'))
        for root in plugin.roots
    ) or any(map(plugin.find_method, _METHODS))


def _find_syntax_fix(message: str) -> str:
    """Return what Python 3 has in place of a statement of Python 2."""
    for words, fix in (
        ('in call to \'print\'', 'write print(…)'),
        ('in call to \'exec\'', 'write exec(…)'),
        ('exception types must be parenthesized',
         'write except TYPE as error'),
        ('leading zeros', 'write 0o before the digits'),
        ('inconsistent use of tabs', 'indent with spaces alone'),
    ):
        if words in message:
            return f'{fix}: this is Python 2, and Nova runs on Python 3'
    return 'correct the syntax'


def _assignments(
    statement: ast.stmt,
) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Name):
                yield target.id, statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value and (
        isinstance(statement.target, ast.Name)
    ):
        yield statement.target.id, statement.value
