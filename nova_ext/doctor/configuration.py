"""Read nova.conf, of this machine and copies of others, as text.

Only Nova knows the types of its options.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from oslo_config import cfg

from nova_ext.config_files import sources
from nova_ext.core.base.errors import NovaExtError

#: The values that count of each option that is set, by group and name.
Options = Mapping[tuple[str, str], tuple[str, ...]]

#: Options that add up all their values; of any other the last value counts.
_MULTIPLE = frozenset({
    ('filter_scheduler', 'available_filters'),
    ('nova_ext', 'scheduler_driver'), ('nova_ext', 'plugin_files'),
})


class Configuration:
    """Hold the configuration of one nova-scheduler, and of others to compare.

    :param files: nova.conf and the files read with it, in the order in which
        nova-scheduler reads them.
    :param others: for each other scheduler its file, or a folder of files.
    :param records: decision records, one of each scheduler host.
    :param unread: reason the files can't be read. Empty if they can.
    :ivar files: the files that were read.
    :ivar existing: the files that exist, readable or not.
    """

    def __init__(
        self, files: Sequence[Path] = (), others: Sequence[Path] = (),
        records: Sequence[Path] = (), unread: str = '',
    ) -> None:
        self.existing = tuple(files)
        self.files = () if unread else self.existing
        self.records = tuple(records)
        self.unread = unread
        self.options = read(self.files)
        self.others = {
            str(path): read(_files(path)) for path in others
        }

    def value(self, group: str, name: str) -> str | None:
        """Return an option's last value; None if no file sets it."""
        values = self.options.get((group, name))
        return values[-1] if values else None


def find(
    files: Sequence[str] = (), folders: Sequence[str] = ()
) -> list[Path]:
    """Return the files that nova-scheduler reads, started with these options.

    Those that it finds by itself come first: files if none is given, and
    folders if none is.
    """
    name = 'nova', 'nova-scheduler'
    own_files = [] if files else cfg.find_config_files(*name)
    own_folders = [] if folders else cfg.find_config_dirs(*name)
    return [
        *map(Path, own_files), *_list_files(own_folders),
        *map(Path, files), *_list_files(folders),
    ]


def read(files: Iterable[Path]) -> Options:
    """Return the options that files set.

    :raises NovaExtError: for a file that can't be read.
    """
    paths = [(sources.FILE, str(path)) for path in files]
    if not paths:
        return {}
    result = sources.read(paths)
    for each in result.unreadable:
        raise NovaExtError(f'{each.location} can\'t be read: {each.problem}')
    conf = result.configuration
    options = {}
    for name, _ in conf.settings():
        values = tuple(value.text for value in conf.values(*name))
        options[name] = values if name in _MULTIPLE else values[-1:]
    return options


def _list_files(folders: Iterable[str]) -> list[Path]:
    return [file for folder in folders for file in _files(Path(folder))]


def _files(path: Path) -> list[Path]:
    """Return a file itself, or a folder's files in oslo.config's order."""
    return sorted(path.glob('*.conf')) if path.is_dir() else [path]
