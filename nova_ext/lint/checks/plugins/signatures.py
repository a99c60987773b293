"""Find methods that Nova can't call as they are written."""

import ast
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.known_names import find_closest
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code.contract import (
    Contract,
    accepts,
    is_novas,
    parameter_names,
)
from nova_ext.source_code.plugin_source import Method, PluginClass

SIGNATURE = Kind(
    'NX511', Severity.ERROR, 'a method that Nova can\'t call',
    'Nova passes arguments that the method does not accept. Every request '
    'fails with a TypeError.',
    'accept the arguments that Nova passes',
    'def host_passes(self, host_state): …',
)
MISSING = Kind(
    'NX512', Severity.ERROR, 'a plugin without the method that decides',
    'Nova calls the method of the base class, which raises '
    'NotImplementedError or passes every host.',
    'define the method',
    'class GpuFilter(filters.BaseHostFilter):\n'
    '    def host_pass(self, host_state, spec_obj): …',
)
CONSTRUCTOR = Kind(
    'NX513', Severity.ERROR, 'a plugin that Nova can\'t create',
    'Nova creates each filter and weigher without arguments, so the '
    'scheduler does not start.',
    'give each argument of __init__ a default',
    'def __init__(self, limit): …',
)
OLD_MULTIPLIER = Kind(
    'NX522', Severity.WARNING, 'a multiplier that Nova does not read',
    'Nova calls weight_multiplier(host_state) since Kilo. Without that method '
    'the weigher counts with the multiplier 1.0.',
    'rename it to weight_multiplier(self, host_state)',
    'class PowerWeigher(weights.BaseHostWeigher):\n'
    '    def _weight_multiplier(self): return 2.0',
)
KINDS = (SIGNATURE, MISSING, CONSTRUCTOR, OLD_MULTIPLIER)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Compare each plugin with its contract."""
    for _, plugin, contract in subject.contracts():
        yield from _check_presence(plugin, contract)
        for name, arguments in contract.methods.items():
            method = plugin.find_method(name)
            if method:
                yield from _check_arguments(plugin, method, arguments)
            else:
                yield from _check_value(plugin, name, arguments)
        if is_novas(plugin):
            yield from _check_constructor(plugin)
            yield from _check_abstract(plugin, contract)
            yield from _check_multiplier(plugin, contract)


def _check_presence(
    plugin: PluginClass, contract: Contract
) -> Iterator[LintFinding]:
    if not contract.needed or any(map(plugin.find_method, contract.needed)):
        return
    wanted = contract.needed[0]
    meant = next((
        method.node.name for method in plugin.methods()
        if method.node.name not in contract.methods
        and find_closest(method.node.name, [wanted])
    ), None)
    call = f'{wanted}({", ".join(("self", *contract.methods[wanted]))})'
    yield MISSING.at(
        plugin.location, f'{plugin.name} has no {wanted}',
        f'rename {meant} to {wanted}' if meant else f'define {call}',
    )


def _check_arguments(
    plugin: PluginClass, method: Method, arguments: tuple[str, ...]
) -> Iterator[LintFinding]:
    node = method.node
    right = f'{node.name}({", ".join(("self", *arguments))})'
    if isinstance(node, ast.AsyncFunctionDef):
        yield SIGNATURE.at(
            method.location, f'{plugin.name}.{node.name} is async; Nova does '
            'not wait for it', f'write def {right}',
        )
    elif not accepts(method, len(arguments)):
        accepted = ', '.join(parameter_names(method)) or 'none'
        yield SIGNATURE.at(
            method.location, f'{plugin.name}.{node.name} accepts {accepted}; '
            f'Nova passes {" and ".join(arguments) or "nothing"}',
            f'write def {right}',
        )


def _check_value(
    plugin: PluginClass, name: str, arguments: tuple[str, ...]
) -> Iterator[LintFinding]:
    """Find a number or text where Nova calls a method."""
    values = [
        (plugin.module, value) for value in [plugin.find_attribute(name)]
        if value
    ]
    for method in plugin.methods():
        values += [
            (method.module, node.value) for node in ast.walk(method.node)
            if isinstance(node, ast.Assign)
            and f'self.{name}' in map(ast.unparse, node.targets)
        ]
    for module, value in values:
        if isinstance(value, ast.Constant | ast.UnaryOp | ast.BinOp):
            right = f'{name}({", ".join(("self", *arguments))})'
            text = ast.unparse(value)
            yield SIGNATURE.at(
                Location(str(module.path), value.lineno),
                f'{plugin.name}.{name} is the value {text}; Nova calls it',
                f'write def {right}: return {text}',
            )


def _check_multiplier(
    plugin: PluginClass, contract: Contract
) -> Iterator[LintFinding]:
    """Find a weigher that has the multiplier's old name alone."""
    name = 'weight_multiplier'
    method = plugin.find_method(f'_{name}')
    value = plugin.find_attribute(f'_{name}')
    if (
        name not in contract.methods or plugin.find_method(name)
        or plugin.find_attribute(name)
    ):
        return
    what = f'Nova does not read {plugin.name}._{name}'
    fix = f'write def {name}(self, host_state)'
    if method:
        yield OLD_MULTIPLIER.at(method.location, what, fix)
    elif value:
        yield OLD_MULTIPLIER.at(
            Location(str(plugin.module.path), value.lineno), what,
            f'{fix}: return {ast.unparse(value)}',
        )


def _check_constructor(plugin: PluginClass) -> Iterator[LintFinding]:
    method = plugin.find_method('__init__')
    if method and not accepts(method, 0):
        names = ', '.join(parameter_names(method))
        yield CONSTRUCTOR.at(
            method.location, f'{plugin.name} can\'t be created without {names}'
        )


def _check_abstract(
    plugin: PluginClass, contract: Contract
) -> Iterator[LintFinding]:
    """Find abstract methods of the plugin's own base classes."""
    reported = set(contract.needed)
    for method in plugin.methods():
        name = method.node.name
        decorators = {
            str(method.module.resolve(decorator) or '').rpartition('.')[2]
            for decorator in method.node.decorator_list
        }
        if name not in reported and 'abstractmethod' in decorators:
            yield CONSTRUCTOR.at(
                plugin.location, f'{plugin.name} is abstract: it does not '
                f'define {name} of {method.location}', f'define {name}',
            )
        reported.add(name)
