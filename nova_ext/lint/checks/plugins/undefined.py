"""Find names that a plugin's module uses and nothing defines."""

import ast
import sys
from collections.abc import Iterator

from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_modules
from nova_ext.source_code.guards import walk_unguarded
from nova_ext.source_code.module import Module
from nova_ext.source_code.undefined_names import find_undefined

UNDEFINED = Kind(
    'NX519', Severity.ERROR, 'a name that nothing defines',
    'Every request that comes to this line fails with a NameError or '
    'AttributeError. At the top of a module the scheduler does not start.',
    'import or define it',
    'def host_passes(self, host_state, spec_obj):\n'
    '    return isinstance(spec_obj.project_id, basestring)',
)
KINDS = (UNDEFINED,)

#: Where names that many plugins forget to import come from.
_IMPORTS = {
    '_': 'from nova.i18n import _',
    'CONF': 'import nova.conf, and CONF = nova.conf.CONF',
    'LOG': 'from oslo_log import log as logging, and '
           'LOG = logging.getLogger(__name__)',
    'cfg': 'from oslo_config import cfg',
    'filters': 'from nova.scheduler import filters',
    'objects': 'from nova import objects',
    'weights': 'from nova.scheduler import weights',
}


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look through each module that a plugin's classes are in."""
    seen = set()
    for _, plugin, _ in subject.contracts():
        for module, _ in plugin.ancestry:
            if module.path in seen or module.name.startswith('nova_ext.'):
                continue
            seen.add(module.path)
            for line, what, fix in _check(module):
                yield UNDEFINED.at(
                    Location(str(module.path), line), what, fix
                )


def _check(module: Module) -> Iterator[tuple[int, str, str]]:
    for line, name in find_undefined(module):
        instead = removed_modules.PYTHON2_NAMES.get(name)
        if instead:
            yield line, f'Python 3 has no {name}', f'write {instead}'
        else:
            yield line, f'{name} is used, and nothing defines it', _find_fix(
                name
            )
    for node in walk_unguarded(module.tree):
        if not isinstance(node, ast.Attribute):
            continue
        dotted = module.resolve(node) or ''
        instead = removed_modules.PYTHON2_ATTRIBUTES.get(dotted)
        if instead is None and not dotted.startswith('six.'):
            instead = removed_modules.PYTHON2_METHODS.get(node.attr)
        if instead:
            yield (
                node.lineno, f'Python 3 has no {dotted or node.attr}',
                f'write {instead}',
            )


def _find_fix(name: str) -> str:
    if name in _IMPORTS:
        return f'write {_IMPORTS[name]}'
    return f'write import {name}' if name in sys.stdlib_module_names else ''
