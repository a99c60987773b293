"""Find names of Nova that a plugin uses and this Nova does not have."""

import ast
from collections.abc import Iterator, Sequence
from functools import cached_property

from oslo_config import cfg

from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.near_names import list_modules
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases.declared_options import DeclaredOptions
from nova_ext.nova_releases.removed_modules import find_module
from nova_ext.source_code.guards import list_unguarded
from nova_ext.source_code.module import Module
from nova_ext.source_code.plugin_source import BrokenError, Reader

ABSENT = Kind(
    'NX516', Severity.ERROR, 'a name that the installed Nova does not have',
    'Nova\'s options and functions change between releases. A request that '
    'comes to this line fails with an AttributeError or NoSuchOptError. At '
    'the top of a module the scheduler does not start.',
    'write what this release has in its place',
    'def host_passes(self, host_state, spec_obj):\n'
    '    return host_state.num_instances < CONF.max_instances_per_host',
)
KINDS = (ABSENT,)

_CONF = {'nova.conf.CONF', 'oslo_config.cfg.CONF'}
#: What oslo.config's own object has.
_METHODS = frozenset(dir(cfg.ConfigOpts))
_BUILT_IN = ('config_file', 'config_dir', 'config_source')


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up the names of Nova in each plugin's module."""
    if not subject.reader.finder.nova:
        return
    seen = set()
    for _, plugin, _ in subject.contracts():
        if plugin.module.path in seen or plugin.module.name.startswith(
            'nova_ext.'
        ):
            continue
        seen.add(plugin.module.path)
        module, reader = plugin.module, subject.reader
        package = module.name.partition('.')[0]
        trees = [] if package == 'nova' else [
            each.tree for each in list_modules(package, reader)
        ]
        names = Names(
            module, [module.tree, *trees], reader, subject.declared
        )
        for node in names.list_uses():
            what, fix = names.check(node)
            if what:
                yield ABSENT.at(
                    Location(str(plugin.module.path), node.lineno),
                    f'{plugin.name}: {what}', fix,
                )


class Names:
    """Resolve the dotted names of one module.

    :param trees: the modules of its package, which may declare options.
    """

    def __init__(
        self, module: Module, trees: Sequence[ast.Module], reader: Reader,
        declared: DeclaredOptions | None,
    ) -> None:
        self._module = module
        self._trees = trees
        self._reader = reader
        self._declared = declared

    def list_uses(self) -> Iterator[ast.Attribute]:
        """Generate the longest dotted names, each once."""
        yield from self._walk(self._module.tree)

    def _walk(self, node: ast.AST) -> Iterator[ast.Attribute]:
        if isinstance(node, ast.Attribute) and self._root(node):
            if isinstance(node.ctx, ast.Load):
                yield node
            return
        for part in list_unguarded(node):
            yield from self._walk(part)

    def _root(self, node: ast.expr) -> str:
        """Return the imported name at the beginning of a dotted one."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if isinstance(node, ast.Name) and node.id not in self._local_names:
            return node.id
        return ''

    @cached_property
    def _local_names(self) -> set[str]:
        """Return names that stand for something else in some function."""
        names = set()
        for function in ast.walk(self._module.tree):
            if not isinstance(
                function, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
            ):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.arg):
                    names.add(node.arg)
                elif isinstance(node, ast.Name) and not isinstance(
                    node.ctx, ast.Load
                ):
                    names.add(node.id)
        return names

    def check(self, node: ast.Attribute) -> tuple[str, str]:
        """Return what is absent, and what to write; empty for nothing."""
        dotted = self._resolve(node)
        if dotted is None:
            return '', ''
        for conf in _CONF:
            if dotted.startswith(f'{conf}.'):
                return self._check_option(dotted.removeprefix(f'{conf}.'))
        if dotted.startswith('nova.') and not find_module(dotted)[0]:
            return self._check_attribute(dotted)
        return '', ''

    def _resolve(self, node: ast.expr) -> str | None:
        """Return a dotted name, through ``CONF = nova.conf.CONF`` too."""
        if isinstance(node, ast.Attribute):
            before = self._resolve(node.value)
            return f'{before}.{node.attr}' if before else None
        if isinstance(node, ast.Name) and node.id in self._assigned:
            return self._assigned[node.id]
        return self._module.resolve(node)

    @cached_property
    def _assigned(self) -> dict[str, str]:
        """Return the dotted names that names at the top stand for."""
        dotted_names = {}
        for statement in self._module.tree.body:
            if isinstance(statement, ast.Assign) and isinstance(
                statement.value, ast.Attribute
            ):
                dotted = self._module.resolve(statement.value)
                for target in statement.targets:
                    if isinstance(target, ast.Name) and dotted in _CONF:
                        dotted_names[target.id] = dotted
        return dotted_names

    def _check_option(self, path: str) -> tuple[str, str]:
        if self._declared is None or not self._declared.readable:
            return '', ''
        first, _, rest = path.partition('.')
        second = rest.partition('.')[0]
        readable = self._declared.readable
        if first in (*_METHODS, *_BUILT_IN, *readable['DEFAULT']):
            return '', ''
        if first in readable:
            options = readable[first]
            if (
                not second or second in options or second in _METHODS
                or second in self._own_options
            ):
                return '', ''
            near = find_closest(second, options)
            return (
                f'Nova has no option [{first}] {second}',
                f'write CONF.{first}.{near}' if near else '',
            )
        if self._registers or first in self._own_options:
            return '', ''
        homes = sorted(
            group for group, options in readable.items() if first in options
        )
        if second:
            near = find_closest(first, readable)
            return (
                f'Nova has no group [{first}]',
                f'write CONF.{near}.{second}' if near else '',
            )
        return (
            f'Nova has no option [DEFAULT] {first}',
            f'write CONF.{homes[0]}.{first}' if len(homes) == 1 else '',
        )

    @cached_property
    def _own_options(self) -> set[str]:
        """Return the texts that the plugin's package gives as first argument.

        The names of the options that it declares are among them.
        """
        texts = {
            node.args[0].value for tree in self._trees
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and node.args
            and isinstance(node.args[0], ast.Constant)
            and isinstance(node.args[0].value, str)
        }
        return {text.replace('-', '_') for text in texts}

    @cached_property
    def _registers(self) -> bool:
        """Say whether the package registers options of its own."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr.startswith(('register_', 'import_'))
            for tree in self._trees for node in ast.walk(tree)
        )

    def _check_attribute(self, dotted: str) -> tuple[str, str]:
        """Look up the first name behind a module of Nova's."""
        parts = self._reader.finder.split(dotted)
        if parts is None or not parts[1]:
            return '', ''
        name, left = parts
        attribute = left.partition('.')[0]
        path = self._reader.finder.find_file(name)
        if path is None or attribute.startswith('__'):
            return '', ''
        try:
            module = self._reader.read_module(name, path)
        except BrokenError:
            return '', ''
        there = {*module.classes, *module.functions}
        if name == 'nova.objects':
            # Its classes come from its modules, when they are registered.
            there |= {
                cls for file in path.parent.glob('*.py')
                for cls in self._reader.read_module(
                    f'{name}.{file.stem}', file
                ).classes
            }
        elif module.defines(attribute):
            return '', ''
        if attribute in there or '__getattr__' in there:
            return '', ''
        near = find_closest(attribute, there)
        return (
            f'{name} has no {attribute}',
            f'write {name.rpartition(".")[2]}.{near}' if near else '',
        )
