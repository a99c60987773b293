"""One module's syntax tree, and what its names stand for."""

import ast
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Module:
    """A parsed file.

    :param name: dotted name.
    :param imports: what imported names stand for, dotted.
    :param constants: texts that are given a name at the top.
    """

    name: str
    path: Path
    tree: ast.Module
    imports: dict[str, str] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)

    @property
    def package(self) -> str:
        """The package that relative imports start from."""
        if self.path.name == '__init__.py':
            return self.name
        return self.name.rpartition('.')[0]

    def defines(self, name: str) -> bool:
        """Whether a name is bound anywhere at the top of the module."""
        return (
            name in self.imports or name in self.classes
            or name in self.functions or name in _assigned(self.tree)
            or '*' in self.imports
        )

    def dotted(self, node: ast.AST) -> str | None:
        """What a name or attribute stands for, dotted; None: unknown."""
        if isinstance(node, ast.Attribute):
            before = self.dotted(node.value)
            return f'{before}.{node.attr}' if before else None
        if isinstance(node, ast.Name):
            if node.id in self.classes or node.id in self.functions:
                return f'{self.name}.{node.id}'
            return self.imports.get(node.id)
        return None

    def text(self, node: ast.AST) -> str | None:
        """The text of a literal, or of a name given to one."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name):
            return self.constants.get(node.id)
        return None


def parse(name: str, path: Path) -> Module:
    """Parse a file.

    :raises SyntaxError: for one that is no Python 3.
    :raises OSError: for one that can't be opened.
    """
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except ValueError as error:  # a null byte
        raise SyntaxError(str(error), (str(path), 1, 0, '')) from error
    module = Module(name, path, tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module.imports.update(imported(module, node))
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            module.classes[statement.name] = statement
        elif isinstance(statement, ast.FunctionDef):
            module.functions[statement.name] = statement
        elif isinstance(statement, ast.Assign):
            _name_constants(module, statement)
    return module


def _name_constants(module: Module, statement: ast.Assign) -> None:
    text = module.text(statement.value)
    for target in statement.targets:
        if isinstance(target, ast.Name):
            if text is None:  # it may have been one
                module.constants.pop(target.id, None)
            else:
                module.constants[target.id] = text


def imported(
    module: Module, node: ast.Import | ast.ImportFrom
) -> dict[str, str]:
    """The names that an import statement binds, and what they stand for."""
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name.partition('.')[0]:
                alias.name if alias.asname else alias.name.partition('.')[0]
            for alias in node.names
        }
    source = origin(module, node)
    return {
        alias.asname or alias.name: f'{source}.{alias.name}'
        for alias in node.names
    }


def origin(module: Module, node: ast.ImportFrom) -> str:
    """The module that ``from … import`` names, made absolute."""
    if not node.level:
        return node.module or ''
    parts = module.package.split('.')
    base = '.'.join(parts[:len(parts) - node.level + 1])
    return f'{base}.{node.module}' if node.module else base


def _assigned(tree: ast.Module) -> set[str]:
    """Names bound at the top, also below if and try."""
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names: set[str] = set()
    todo: list[ast.AST] = list(tree.body)
    while todo:
        node = todo.pop()
        if isinstance(node, inside):
            names.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        todo.extend(ast.iter_child_nodes(node))
    return names
