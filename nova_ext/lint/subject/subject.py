"""Hold all that the checks look at."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from nova_ext.config_files.configuration import Configuration, Name, Value
from nova_ext.config_files.sources import Sources
from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject import added_files, known_names
from nova_ext.lint.subject.configured_plugin import (
    ConfiguredPlugin,
    list_named,
    list_plain,
    read_plugin,
)
from nova_ext.lint.subject.listed_classes import (
    ListedClasses,
    is_class,
    is_path,
    list_classes,
)
from nova_ext.lint.subject.near_names import find_near
from nova_ext.lint.subject.notation import Misread, read_as_meant
from nova_ext.nova_releases import plugins_and_options
from nova_ext.nova_releases.declared_options import DeclaredOptions
from nova_ext.source_code.contract import Contract, find_contract
from nova_ext.source_code.plugin_source import BrokenError, PluginClass, Reader

_NOVAS = (
    f'{plugins_and_options.FILTERS_PACKAGE}.',
    f'{plugins_and_options.WEIGHERS_PACKAGE}.',
)


@dataclass
class Subject:
    """Hold a configuration, and what is known about its plugins and hints.

    :param declared: the options of the Nova that is installed here.
    :param mode: the mode in use; None if unknown.
    :param hints: scheduler hints that the cloud's users send.
    :param code: files and folders of plugins that are named themselves.
    :param expected: options that a deployer's files are to set.
    """

    sources: Sources
    reader: Reader
    declared: DeclaredOptions | None = None
    mode: Mode | None = None
    hints: Sequence[str] = ()
    code: Sequence[str] = ()
    expected: Mapping[Name, Value] = field(default_factory=dict)

    @cached_property
    def _meant(self) -> tuple[Configuration, list[Misread]]:
        return read_as_meant(self.sources.configuration, self.declared)

    @property
    def configuration(self) -> Configuration:
        """Return the merged files, as they were meant."""
        return self._meant[0]

    @property
    def misread(self) -> list[Misread]:
        """Return the lines that oslo.config reads otherwise than meant."""
        return self._meant[1]

    @cached_property
    def enabled(self) -> list[Value]:
        """Return the enabled filters; Nova's default if none is written."""
        group = 'filter_scheduler'
        if self.configuration.last(group, 'enabled_filters'):
            return self.configuration.items(group, 'enabled_filters')
        return [
            self._default(name) for name in plugins_and_options.DEFAULT_FILTERS
        ]

    @property
    def templated(self) -> bool:
        """Say whether the enabled filters still have to be filled in."""
        return any(value.templated for value in self.enabled)

    @cached_property
    def available_lines(self) -> list[Value]:
        """Return the lines of available_filters, or Nova's default."""
        return self.configuration.values(
            'filter_scheduler', 'available_filters'
        ) or [self._default(plugins_and_options.ALL_FILTERS)]

    @cached_property
    def weigher_lines(self) -> list[Value]:
        """Return the items of weight_classes, or Nova's default."""
        return self.configuration.items(
            'filter_scheduler', 'weight_classes'
        ) or [self._default(plugins_and_options.ALL_WEIGHERS)]

    @cached_property
    def filters(self) -> ListedClasses:
        """Return the filters that are available."""
        known = [*plugins_and_options.FILTERS, *self._added['filter']]
        return list_classes(self.available_lines, {
            plugins_and_options.ALL_FILTERS: known,
            known_names.FILTERS_LINE: [*known, *self._own_names('filter')],
            **self._meant_names('filter', self.available_lines),
        })

    @cached_property
    def weighers(self) -> ListedClasses:
        """Return the weighers that weight_classes provides."""
        known = [*plugins_and_options.WEIGHERS, *self._added['weigher']]
        return list_classes(self.weigher_lines, {
            plugins_and_options.ALL_WEIGHERS: known,
            known_names.WEIGHERS_LINE: [*known, *self._own_names('weigher')],
            **self._meant_names('weigher', self.weigher_lines),
        })

    @property
    def drivers(self) -> list[Value]:
        """Return the drivers of nova-ext-scheduler."""
        return self.configuration.values('nova_ext', 'scheduler_driver')

    @cached_property
    def plugins(self) -> list[ConfiguredPlugin]:
        """Return the plugins that the configuration names, each once."""
        plugins: dict[str, ConfiguredPlugin] = {}
        for configured in self._configured_plugins():
            plugins.setdefault(configured.dotted, configured)
        return list(plugins.values())

    def contracts(
        self
    ) -> Iterator[tuple[ConfiguredPlugin, PluginClass, Contract]]:
        """Generate the plugins of a known kind, each with its contract."""
        for configured in self.plugins:
            if configured.plugin:
                contract = find_contract(configured.plugin)
                if contract:
                    yield configured, configured.plugin, contract

    @cached_property
    def plugin_files(self) -> list[ConfiguredPlugin]:
        """Return the plugins in plain files."""
        files = self.configuration.values('nova_ext', 'plugin_files')
        return list(list_plain(files, self.reader))

    @cached_property
    def plugins_of_code(self) -> list[ConfiguredPlugin]:
        """Return the plugins in the files and folders that are named."""
        return list(list_named(self.code, self.reader))

    def is_added(self, path: str) -> bool:
        """Say whether a path is of a file that someone put into Nova.

        Without Nova only the name says so.
        """
        return added_files.is_added(path, self.reader.finder)

    def rewrite(self, option: str, items: Iterable[str]) -> str:
        """Return the fix that gives a list of [filter_scheduler] items.

        :returns: empty where the file is not in oslo.config's notation.
        """
        value = self.configuration.last('filter_scheduler', option)
        if value is None or value.location.file.endswith(('.yml', '.yaml')):
            return ''
        return f'write {option} = {",".join(items)}'

    def _default(self, text: str) -> Value:
        return Value(text, self.configuration.default_location())

    def _own_names(self, kind: str) -> Iterator[str]:
        """Generate the names that nova-ext's line adds to Nova's.

        :param kind: filter or weigher.
        """
        for point in known_names.list_installed(f'{kind}s'):
            yield point.name
        for configured in self.plugin_files:
            plugin = configured.plugin
            contract = find_contract(plugin) if plugin else None
            if plugin and contract and contract.kind == kind:
                yield plugin.name

    def _meant_names(
        self, kind: str, lines: Iterable[Value]
    ) -> dict[str, Sequence[str]]:
        """Return the class that each wrong path means, if one is near.

        A class of another kind brings none: another check reports it.
        """
        meant: dict[str, Sequence[str]] = {}
        for value in lines:
            path = value.text
            if not is_path(path) or path.startswith(_NOVAS):
                continue
            try:
                if self.reader.find_kind(path) == 'class':
                    contract = find_contract(self.reader.read_class(path))
                    if contract and contract.kind != kind:
                        meant[path] = ()
            except BrokenError:
                near = find_near(path, self.reader).rpartition('.')[2]
                if is_class(near):
                    meant[path] = (near,)
        return meant

    def _configured_plugins(self) -> Iterator[ConfiguredPlugin]:
        own_lines = {
            known_names.FILTERS_LINE: 'filters',
            known_names.WEIGHERS_LINE: 'weighers',
        }
        for value in (*self.available_lines, *self.weigher_lines):
            if value.text in own_lines:
                for point in known_names.list_installed(own_lines[value.text]):
                    yield read_plugin(self.reader, value, point.dotted)
            elif (
                is_path(value.text) and is_class(value.text)
                and (not value.text.startswith(_NOVAS)
                     or self.is_added(value.text))
            ):
                yield read_plugin(self.reader, value, value.text)
        points = {
            point.name: point.dotted
            for point in known_names.list_installed('drivers')
        }
        for value in self.drivers:
            dotted = points.get(value.text, value.text)
            if {'.', ':'} & {*dotted}:
                yield read_plugin(self.reader, value, dotted.replace(':', '.'))
        yield from self.plugin_files
        yield from self._list_added()
        yield from self.plugins_of_code

    @cached_property
    def _added(self) -> Mapping[str, Mapping[str, str]]:
        """Return the plugins that someone put into Nova's packages."""
        return added_files.list_added(self.reader)

    def _list_added(self) -> Iterator[ConfiguredPlugin]:
        """Generate those that Nova's own lines bring, where they are named."""
        enabled = {value.text: value for value in self.enabled}
        for kind, lines, functions in (
            ('filter', self.available_lines,
             (plugins_and_options.ALL_FILTERS, known_names.FILTERS_LINE)),
            ('weigher', self.weigher_lines,
             (plugins_and_options.ALL_WEIGHERS, known_names.WEIGHERS_LINE)),
        ):
            for line in [one for one in lines if one.text in functions][:1]:
                for name, dotted in self._added[kind].items():
                    yield read_plugin(
                        self.reader, enabled.get(name, line), dotted
                    )
