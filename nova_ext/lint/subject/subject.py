"""All that the checks look at."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from nova_ext.config_files.configuration import Configuration, Value
from nova_ext.config_files.sources import Sources
from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject import installed
from nova_ext.lint.subject.brought import (
    Brought,
    brought,
    is_path,
    names_class,
)
from nova_ext.lint.subject.plugin_loading import Loaded
from nova_ext.nova_releases import plugins_and_options
from nova_ext.nova_releases.declared_options import Declared
from nova_ext.source_code.contract import contract
from nova_ext.source_code.plugin_source import BrokenError, Plugin, Reader

_NOVAS = (
    f'{plugins_and_options.FILTERS_PACKAGE}.', f'{plugins_and_options.WEIGHERS_PACKAGE}.'
)


@dataclass(frozen=True)
class Chosen:
    """A plugin that the configuration brings in.

    :param value: the line that does.
    :param dotted: the class, or the file it stands in.
    :param plugin: its source; None where that could not be had.
    :param error: why it could not.
    """

    value: Value
    dotted: str
    plugin: Plugin | None
    error: BrokenError | None = None

    @property
    def name(self) -> str:
        """The name of the class."""
        return (
            self.plugin.name if self.plugin else self.dotted.rpartition('.')[2]
        )


@dataclass
class Subject:
    """A configuration, and what is known around it.

    :param declared: the options of the Nova that is installed here.
    :param loaded: by dotted path, what running the plugins' code showed.
    :param mode: the mode in use; None if unknown.
    :param hints: scheduler hints that the cloud's users send.
    """

    sources: Sources
    reader: Reader
    declared: Declared | None = None
    loaded: Mapping[str, Loaded] = field(default_factory=dict)
    mode: Mode | None = None
    hints: Sequence[str] = ()

    @property
    def configuration(self) -> Configuration:
        """The merged files."""
        return self.sources.configuration

    @cached_property
    def enabled(self) -> list[Value]:
        """Enabled filters; Nova's default where none is written."""
        if self.configuration.last('filter_scheduler', 'enabled_filters'):
            return self.configuration.items(
                'filter_scheduler', 'enabled_filters'
            )
        place = self.configuration.place()
        return [Value(name, place) for name in plugins_and_options.DEFAULT_FILTERS]

    @cached_property
    def available_lines(self) -> list[Value]:
        """Lines of available_filters; Nova's default where none is."""
        return self.configuration.values(
            'filter_scheduler', 'available_filters'
        ) or [Value(plugins_and_options.ALL_FILTERS, self.configuration.place())]

    @cached_property
    def weigher_lines(self) -> list[Value]:
        """Items of weight_classes; Nova's default where none is."""
        return self.configuration.items(
            'filter_scheduler', 'weight_classes'
        ) or [Value(plugins_and_options.ALL_WEIGHERS, self.configuration.place())]

    @cached_property
    def filters(self) -> Brought:
        """The filters that there are."""
        return brought(self.available_lines, {
            plugins_and_options.ALL_FILTERS: plugins_and_options.FILTERS,
            installed.FILTERS_LINE: [
                *plugins_and_options.FILTERS, *self._ours('filters', 'filter'),
            ],
            **self._loaded_functions(),
        })

    @cached_property
    def weighers(self) -> Brought:
        """The weighers that there are."""
        return brought(self.weigher_lines, {
            plugins_and_options.ALL_WEIGHERS: plugins_and_options.WEIGHERS,
            installed.WEIGHERS_LINE: [
                *plugins_and_options.WEIGHERS, *self._ours('weighers', 'weigher'),
            ],
            **self._loaded_functions(),
        })

    @property
    def drivers(self) -> list[Value]:
        """Drivers of nova-ext-scheduler."""
        return self.configuration.values('nova_ext', 'scheduler_driver')

    @cached_property
    def plugins(self) -> list[Chosen]:
        """The plugins that the configuration brings in, each once."""
        found: dict[str, Chosen] = {}
        for chosen in self._chosen():
            found.setdefault(chosen.dotted, chosen)
        return list(found.values())

    @cached_property
    def extension_files(self) -> list[Chosen]:
        """The plugins in plain files."""
        found = []
        for value in self.configuration.values('nova_ext', 'extension_files'):
            path = Path(value.text)
            try:
                for plugin in self.reader.in_file(path):
                    dotted = f'{path.stem}.{plugin.name}'
                    found.append(Chosen(value, dotted, plugin))
            except BrokenError as error:
                found.append(Chosen(value, value.text, None, error))
        return found

    def to_load(self) -> dict[str, Value]:
        """Code that is neither Nova's nor nova-ext's, by what brings it.

        :returns: lines by the dotted path of a class or function, or by
            the path of a file.
        """
        found = {
            value.text: value
            for value in (*self.available_lines, *self.weigher_lines)
            if is_path(value.text)
        }
        for value in self.configuration.values('nova_ext', 'extension_files'):
            found[value.text] = value
        for chosen in self.plugins:
            if chosen not in self.extension_files:
                found.setdefault(chosen.dotted, chosen.value)
        return {
            path: value for path, value in found.items()
            if not path.startswith((*_NOVAS, 'nova_ext.'))
        }

    def _ours(self, group: str, kind: str) -> Iterator[str]:
        """Names that nova-ext's own line brings beside Nova's."""
        for point in installed.plugins(group):
            yield point.name
        for chosen in self.extension_files:
            known = contract(chosen.plugin) if chosen.plugin else None
            if chosen.plugin and known and known.kind == kind:
                yield chosen.plugin.name

    def _loaded_functions(self) -> dict[str, Sequence[str]]:
        return {
            path: loaded.names for path, loaded in self.loaded.items()
            if loaded.names
        }

    def _chosen(self) -> Iterator[Chosen]:
        for value in (*self.available_lines, *self.weigher_lines):
            if value.text == installed.FILTERS_LINE:
                yield from self._points('filters', value)
            elif value.text == installed.WEIGHERS_LINE:
                yield from self._points('weighers', value)
            elif _foreign(value.text):
                yield self._read(value, value.text)
        points = {
            point.name: point.dotted for point in installed.plugins('drivers')
        }
        for value in self.drivers:
            dotted = points.get(value.text, value.text)
            if '.' in dotted:
                yield self._read(value, dotted.replace(':', '.'))
        yield from self.extension_files

    def _points(self, group: str, value: Value) -> Iterator[Chosen]:
        for point in installed.plugins(group):
            yield self._read(value, point.dotted)

    def _read(self, value: Value, dotted: str) -> Chosen:
        try:
            return Chosen(value, dotted, self.reader.plugin(dotted))
        except BrokenError as error:
            return Chosen(value, dotted, None, error)


def _foreign(path: str) -> bool:
    """Whether a path names a class that isn't Nova's own."""
    return (
        is_path(path) and names_class(path) and not path.startswith(_NOVAS)
    )
