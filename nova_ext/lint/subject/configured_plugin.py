"""Read the source of plugins that a configuration or the user names."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from nova_ext.config_files.configuration import Value
from nova_ext.core.base.finding import Location
from nova_ext.lint.subject import added_files
from nova_ext.source_code.module_finder import list_code
from nova_ext.source_code.plugin_source import BrokenError, PluginClass, Reader


@dataclass(frozen=True)
class ConfiguredPlugin:
    """Represent a plugin that the configuration names.

    :param value: the line that names it.
    :param dotted: its class, or the file that defines it.
    :param plugin: its source; None where that can't be read.
    :param error: why not.
    """

    value: Value
    dotted: str
    plugin: PluginClass | None
    error: BrokenError | None = None

    @property
    def name(self) -> str:
        """Return the name of the class."""
        return (
            self.plugin.name if self.plugin else self.dotted.rpartition('.')[2]
        )


def read_plugin(reader: Reader, value: Value, dotted: str) -> ConfiguredPlugin:
    """Read the class that a line names."""
    try:
        plugin = reader.read_class(dotted)
    except BrokenError as error:
        return ConfiguredPlugin(value, dotted, None, error)
    return ConfiguredPlugin(value, dotted, plugin)


def list_plain(
    files: Iterable[Value], reader: Reader
) -> Iterator[ConfiguredPlugin]:
    """Generate the plugins in the files of plugin_files."""
    for value in files:
        path = Path(value.text)
        try:
            for plugin in reader.read_file(path):
                dotted = f'{path.stem}.{plugin.name}'
                yield ConfiguredPlugin(value, dotted, plugin)
        except BrokenError as error:
            yield ConfiguredPlugin(value, value.text, None, error)


def list_named(
    paths: Iterable[str], reader: Reader
) -> Iterator[ConfiguredPlugin]:
    """Generate the plugins in files and folders that the user names.

    Nova's own are left out.
    """
    for path in paths:
        value = Value(path, Location(path))
        for name, file in list_code(Path(path)):
            if name in added_files.MODULES:
                continue
            try:
                for plugin in reader.read_plugins(name, file):
                    dotted = f'{name}.{plugin.name}'
                    yield ConfiguredPlugin(value, dotted, plugin)
            except BrokenError as error:
                yield ConfiguredPlugin(value, name, None, error)
