"""Find plugins that can't be imported, by their source or by a trial."""

import ast
from collections.abc import Iterator
from pathlib import Path

from nova_ext.config_files.named_paths import has_configuration
from nova_ext.lint.subject.configured_plugin import ConfiguredPlugin
from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.module_imports import find_failing_imports
from nova_ext.lint.subject.near_names import find_near
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import removed_modules
from nova_ext.source_code.contract import find_contract, is_novas, is_own
from nova_ext.source_code.module_finder import list_code
from nova_ext.source_code.plugin_source import (
    AbsentError,
    PluginClass,
)

BROKEN = Kind(
    'NX501', Severity.ERROR, 'a plugin that can\'t be imported',
    'The scheduler does not start.',
    'correct the path, or install the package where nova-scheduler runs',
    '[filter_scheduler]\navailable_filters = gpu.filter.GpuFilter',
)
NO_PLUGIN = Kind(
    'NX502', Severity.ERROR, 'a class that Nova does not accept',
    'Nova accepts only subclasses of its own base classes. The scheduler '
    'does not start.',
    'derive it from nova.scheduler.filters.BaseHostFilter or '
    'nova.scheduler.weights.BaseHostWeigher',
    'class GpuFilter:\n    def host_passes(self, host_state, spec_obj): …',
)
IN_NOVA = Kind(
    'NX503', Severity.WARNING, 'a plugin inside Nova\'s own package',
    'The next upgrade or rebuild of Nova removes the file. The scheduler '
    'does not start after that if the configuration names the plugin. '
    'Otherwise it runs without it.',
    'put it into a package of your own',
    '[filter_scheduler]\n'
    'available_filters = nova.myproject.my_filter.MyFilter',
)
KINDS = (BROKEN, NO_PLUGIN, IN_NOVA)

#: The option that names the plugins of a kind.
OPTIONS = {'filter': 'available_filters', 'weigher': 'weight_classes'}

def run(subject: Subject) -> Iterator[LintFinding]:
    """Look at each plugin that the configuration names."""
    seen: set[Path] = set()
    for configured in subject.plugins:
        dotted, error = configured.dotted, configured.error
        line = configured.value.location
        absent = error and not is_unchecked(subject, configured)
        if dotted.startswith('nova.') and not absent:
            yield IN_NOVA.at(
                line, f'{dotted} is in Nova\'s own package',
                _find_move(subject, configured),
            )
        if error and absent:
            near = find_near(dotted, subject.reader)
            yield BROKEN.at(
                # Of a name that is not there the path is to be corrected.
                error.location if error.location and error.location.line
                else line, f'{dotted} can\'t be imported: {error}',
                error.fix or (f'write {near}' if near else '') or (
                    _find_move(subject, configured)
                    if dotted.startswith('nova.') else ''
                ),
            )
        if configured.plugin:
            yield from _check_imports(subject, configured.plugin, seen)
            yield from _check_kind(subject, configured, configured.plugin)
    for path in subject.code:
        # A folder of configuration may have scripts, too.
        if not has_configuration(Path(path)) and not any(
            one.value.text == path for one in subject.plugins_of_code
        ) and any(
            not name.startswith('nova.scheduler.')
            for name, _ in list_code(Path(path))
        ):
            yield NO_PLUGIN.at(
                Location(path), f'{path} has no filter, weigher or driver',
                'name the file that has one',
            )


def _find_move(subject: Subject, configured: ConfiguredPlugin) -> str:
    """Return the line that names a plugin in a package of its own."""
    contract = find_contract(configured.plugin) if configured.plugin else None
    kind = contract.kind if contract else (
        'weigher' if configured.value in subject.weigher_lines else 'filter'
    )
    if kind not in OPTIONS:
        return ''
    path = f'PACKAGE.{".".join(configured.dotted.split(".")[-2:])}'
    if configured.value.text == configured.dotted:
        line = f'name it in {OPTIONS[kind]}: {path}'
    elif kind == 'weigher':
        items = ','.join(one.text for one in subject.weigher_lines)
        line = f'write weight_classes = {items},{path}'
    else:
        written = subject.configuration.last(
            'filter_scheduler', 'available_filters'
        )
        default = '' if written else (
            f'available_filters = {configured.value.text} and '
        )
        line = (
            f'add the line{"" if written else "s"} {default}'
            f'available_filters = {path}'
        )
    return f'put the module into a package of your own, PACKAGE, and {line}'


def is_unchecked(subject: Subject, configured: ConfiguredPlugin) -> bool:
    """Say whether a plugin is absent where nova-scheduler does not run."""
    return (
        isinstance(configured.error, AbsentError)
        and not subject.reader.finder.nova
    )


def _check_imports(
    subject: Subject, plugin: PluginClass, seen: set[Path]
) -> Iterator[LintFinding]:
    """Report each import of a module once."""
    if plugin.module.path not in seen:
        seen.add(plugin.module.path)
        for place, cause, fix in find_failing_imports(plugin, subject.reader):
            yield BROKEN.at(place, f'{plugin.name}: {cause}', fix)


def _check_kind(
    subject: Subject, configured: ConfiguredPlugin, plugin: PluginClass
) -> Iterator[LintFinding]:
    contract = find_contract(plugin)
    fix = ''
    if configured.value in subject.drivers or any(
        removed_modules.find_module(root)[1] == removed_modules.DRIVER
        for root in plugin.roots
    ):
        fix = removed_modules.DRIVER
    elif any(
        root.startswith('nova.scheduler.host_manager.')
        for root in plugin.roots
    ):
        fix = (
            'remove the class, or turn it into a filter or weigher: since '
            'Rocky (18.0) Nova always uses its own host manager'
        )
    if contract is None and _is_followed(plugin):
        yield NO_PLUGIN.at(
            plugin.location,
            f'{configured.dotted} is not a filter, weigher or driver', fix,
        )
    if contract is None and not _is_followed(plugin) and is_novas(plugin):
        why = (
            'is no base class of a driver' if fix == removed_modules.DRIVER
            else 'Nova does not accept here'
        )
        yield NO_PLUGIN.at(
            plugin.location, f'{configured.dotted} derives from '
            f'{", ".join(plugin.roots)}, which {why}', fix,
        )
    direct = (*subject.available_lines, *subject.weigher_lines)
    if configured.value in direct:
        yield from _check_option(subject, configured, plugin)
    own = is_own(plugin)
    if contract and own and configured.value in direct and (
        configured.value.text == configured.dotted
    ):
        yield NO_PLUGIN.at(
            configured.value.location, f'{configured.dotted} derives from '
            f'nova-ext\'s base class for a {contract.kind}',
            f'make it an entry point of nova_ext.{contract.kind}s, or name '
            'its file in [nova_ext] plugin_files; nova-ext\'s line '
            'provides it then',
        )


def _check_option(
    subject: Subject, configured: ConfiguredPlugin, plugin: PluginClass
) -> Iterator[LintFinding]:
    """Compare what a class is with the option that names it."""
    contract = find_contract(plugin)
    kind = (
        'filter' if configured.value in subject.available_lines else 'weigher'
    )
    if contract and contract.kind != kind:
        home = OPTIONS.get(contract.kind, '')
        yield NO_PLUGIN.at(
            configured.value.location, f'{configured.dotted} is a '
            f'{contract.kind}, and {OPTIONS[kind]} takes {kind}s',
            f'move it to {home}' if home else '',
        )
    elif plugin.name.startswith('_'):
        yield NO_PLUGIN.at(
            configured.value.location, f'{configured.dotted} begins with an '
            'underscore, and Nova takes no such class',
            'name the class without the underscore',
        )


def _is_followed(plugin: PluginClass) -> bool:
    """Say whether all base classes are known, so that none is a plugin's."""
    return all(
        isinstance(base, ast.Name) and base.id == 'object'
        for _, node in plugin.ancestry for base in node.bases
    )
