"""Methods that Nova can't call as they are written."""

import ast
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.likely import likely
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code import contract
from nova_ext.source_code.contract import Contract
from nova_ext.source_code.plugin_source import Method, Plugin

SIGNATURE = Kind(
    'NX511', Severity.ERROR, 'a method that Nova can\'t call',
    'Nova calls it with other arguments than it takes: every request fails '
    'with a TypeError.',
    'take the arguments that Nova gives',
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
    'NX513', Severity.ERROR, 'a plugin that Nova can\'t make',
    'Nova makes each filter and weigher without arguments, so the scheduler '
    'does not start.',
    'give each argument of __init__ a default',
    'def __init__(self, limit): …',
)
KINDS = (SIGNATURE, MISSING, CONSTRUCTOR)


def run(subject: Subject) -> Iterator[Finding]:
    """Compare each plugin with its contract."""
    for chosen in subject.plugins:
        known = contract.contract(chosen.plugin) if chosen.plugin else None
        if chosen.plugin is None or known is None:
            continue
        yield from _missing(chosen.plugin, known)
        for name, arguments in known.methods.items():
            method = chosen.plugin.method(name)
            if method:
                yield from _callable(chosen.plugin, method, arguments)
        if (chosen.plugin.root or '').startswith('nova.'):
            yield from _constructor(chosen.plugin)


def _missing(plugin: Plugin, known: Contract) -> Iterator[Finding]:
    if not known.needed or any(plugin.method(name) for name in known.needed):
        return
    names = [method.node.name for method in plugin.methods()]
    wanted = known.needed[0]
    meant = next((name for name in names if likely(name, [wanted])), None)
    call = f'{wanted}({", ".join(("self", *known.methods[wanted]))})'
    yield MISSING.at(
        plugin.place, f'{plugin.name} has no {wanted}',
        f'rename {meant} to {wanted}' if meant else f'define {call}',
    )


def _callable(
    plugin: Plugin, method: Method, arguments: tuple[str, ...]
) -> Iterator[Finding]:
    node = method.node
    right = f'{node.name}({", ".join(("self", *arguments))})'
    if isinstance(node, ast.AsyncFunctionDef):
        yield SIGNATURE.at(
            method.place, f'{plugin.name}.{node.name} is async; Nova does '
            'not wait for it', f'write def {right}',
        )
    elif not contract.takes(method, len(arguments)):
        has = ', '.join(contract.parameters(method)) or 'none'
        yield SIGNATURE.at(
            method.place, f'{plugin.name}.{node.name} takes {has}; Nova '
            f'gives {" and ".join(arguments) or "nothing"}',
            f'write def {right}',
        )


def _constructor(plugin: Plugin) -> Iterator[Finding]:
    method = plugin.method('__init__')
    if method and not contract.takes(method, 0):
        names = ', '.join(contract.parameters(method))
        yield CONSTRUCTOR.at(
            method.place, f'{plugin.name} can\'t be made without {names}'
        )
