"""A plugin class and its base classes, read from source."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nova_ext.core.base.finding import Place
from nova_ext.source_code import module as modules
from nova_ext.source_code.module_finder import Finder

Function = ast.FunctionDef | ast.AsyncFunctionDef


class BrokenError(Exception):
    """A class that can't be had: the cause, and where it is."""

    def __init__(self, cause: str, place: Place | None = None) -> None:
        self.place = place
        super().__init__(cause)


class AbsentError(BrokenError):
    """A class whose package is not installed here."""


@dataclass(frozen=True)
class Method:
    """A function of a class, and the module that it stands in."""

    module: modules.Module
    node: Function

    @property
    def place(self) -> Place:
        """Where it is defined."""
        return Place(str(self.module.path), self.node.lineno)


@dataclass
class Plugin:
    """A class.

    :param ancestry: the class and its base classes as far as their source
        was followed, nearest first.
    :param root: the dotted name of the base class where that ended.
    """

    name: str
    ancestry: list[tuple[modules.Module, ast.ClassDef]]
    root: str | None

    @property
    def module(self) -> modules.Module:
        """The module of the class itself."""
        return self.ancestry[0][0]

    @property
    def place(self) -> Place:
        """Where the class is defined."""
        module, node = self.ancestry[0]
        return Place(str(module.path), node.lineno)

    def method(self, name: str) -> Method | None:
        """The method that Python would find, Nova's own apart."""
        for module, node in self.ancestry:
            for statement in node.body:
                if isinstance(statement, Function) and statement.name == name:
                    return Method(module, statement)
        return None

    def methods(self) -> Iterator[Method]:
        """All methods."""
        for module, node in self.ancestry:
            for statement in node.body:
                if isinstance(statement, Function):
                    yield Method(module, statement)

    def attribute(self, name: str) -> ast.expr | None:
        """The value that a class attribute is given."""
        for _, node in self.ancestry:
            for statement in node.body:
                for target, value in _assignments(statement):
                    if target == name:
                        return value
        return None


#: Packages whose classes are not followed: their contracts are known.
ROOTS = ('nova.', 'nova_ext.core.extension.')


class Reader:
    """Reads plugin classes, each file once."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder
        self._modules: dict[Path, modules.Module] = {}

    def module(self, name: str, path: Path) -> modules.Module:
        """A parsed module.

        :raises BrokenError: for a file that is no Python.
        """
        if path not in self._modules:
            try:
                self._modules[path] = modules.parse(name, path)
            except SyntaxError as error:
                raise BrokenError(
                    f'SyntaxError: {error.msg}',
                    Place(str(path), error.lineno or 0),
                ) from error
            except OSError as error:
                raise BrokenError(
                    f'{path} can\'t be read: {error.strerror}'
                ) from error
        return self._modules[path]

    def plugin(self, dotted: str) -> Plugin:
        """A class by its dotted name, as Nova would import it.

        :raises AbsentError: where the top-level package is not installed.
        :raises BrokenError: where its module or the class is not there.
        """
        name, _, class_name = dotted.rpartition('.')
        top = dotted.partition('.')[0]
        path = self.finder.file(name) if name else None
        if path is None:
            found = self.finder.split(dotted)
            if found is None:
                raise AbsentError(f'no module {top} is installed')
            raise BrokenError(f'{found[0]} has no module {found[2]}')
        module = self.module(name, path)
        if class_name in module.imports:
            return self.plugin(module.imports[class_name])
        if class_name not in module.classes:
            raise BrokenError(
                f'{path} has no class {class_name}', Place(str(path))
            )
        return self.followed(module, class_name)

    def in_file(self, path: Path) -> list[Plugin]:
        """The classes of a plain file that derive from a known root.

        :raises BrokenError: for a file that is no Python.
        """
        module = self.module(path.stem, path)
        found = [self.followed(module, name) for name in module.classes]
        return [plugin for plugin in found if plugin.root]

    def followed(self, module: modules.Module, name: str) -> Plugin:
        """A class of a module, and its base classes."""
        node = module.classes[name]
        plugin = Plugin(name, [(module, node)], None)
        for base in node.bases:
            dotted = module.dotted(base)
            if dotted is None:
                continue
            if dotted.startswith(ROOTS):
                plugin.root = plugin.root or dotted
                continue
            try:
                above = self.plugin(dotted)
            except BrokenError:
                continue
            plugin.ancestry += above.ancestry
            plugin.root = plugin.root or above.root
        return plugin


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
