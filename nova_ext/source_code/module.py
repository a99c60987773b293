"""Parse a module, and resolve its names."""

import ast
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Module:
    """Represent a parsed file.

    :param name: dotted name.
    :param imports: the dotted names that imported names stand for.
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
        """Return the package that relative imports start from."""
        if self.path.name == '__init__.py':
            return self.name
        return self.name.rpartition('.')[0]

    def defines(self, name: str) -> bool:
        """Say whether a name is bound anywhere at the top of the module."""
        return (
            name in self.imports or name in self.classes
            or name in self.functions or name in _assigned_names(self.tree)
            or '*' in self.imports
        )

    def is_value(self, name: str) -> bool:
        """Say whether a name stands for a literal, and not for code."""
        values = [
            statement.value for statement in self.tree.body
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Name) and target.id == name
        ]
        return bool(values) and isinstance(values[-1], (
            ast.Constant | ast.List | ast.Tuple | ast.Dict | ast.Set
        ))

    def resolve(self, node: ast.AST) -> str | None:
        """Return the dotted name of a name or attribute; None: unknown."""
        if isinstance(node, ast.Attribute):
            before = self.resolve(node.value)
            return f'{before}.{node.attr}' if before else None
        if isinstance(node, ast.Name):
            if node.id in self.classes or node.id in self.functions:
                return f'{self.name}.{node.id}'
            return self.imports.get(node.id)
        return None

    def text(self, node: ast.AST) -> str | None:
        """Return the text of a literal, or of a name given to one."""
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
            module.imports.update(_bound_names(module, node))
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


def _bound_names(
    module: Module, node: ast.Import | ast.ImportFrom
) -> dict[str, str]:
    """Return what each name that an import statement binds stands for."""
    if isinstance(node, ast.Import):
        return {
            alias.asname or alias.name.partition('.')[0]:
                alias.name if alias.asname else alias.name.partition('.')[0]
            for alias in node.names
        }
    source = source_module(module, node)
    return {
        alias.asname or alias.name: f'{source}.{alias.name}'
        for alias in node.names
    }


def source_module(module: Module, node: ast.ImportFrom) -> str:
    """Return the absolute name of the module that ``from … import`` names."""
    if not node.level:
        return node.module or ''
    parts = module.package.split('.')
    base = '.'.join(parts[:len(parts) - node.level + 1])
    return f'{base}.{node.module}' if node.module else base


def _assigned_names(tree: ast.Module) -> set[str]:
    """Return the names bound at the top, also below if and try."""
    inside = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names: set[str] = set()
    nodes: list[ast.AST] = list(tree.body)
    while nodes:
        node = nodes.pop()
        if isinstance(node, inside):
            names.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        nodes.extend(ast.iter_child_nodes(node))
    return names
