"""What nova.conf says, on this machine and in copies of others' files.

Read as text: Nova's options are known to Nova alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from oslo_config import cfg

from nova_ext.config_files import sources
from nova_ext.config_files.configuration import texts
from nova_ext.core.base.errors import NovaExtError

#: The values that count of each option that is set, by group and name.
Options = Mapping[tuple[str, str], tuple[str, ...]]

#: Options of scheduling of which every value counts; of others the last.
_SEVERAL = frozenset({
    ('filter_scheduler', 'available_filters'),
    ('nova_ext', 'scheduler_driver'), ('nova_ext', 'extension_files'),
})


class Configuration:
    """The configuration of one nova-scheduler, and of others to compare.

    :param files: nova.conf and what stands beside it, in the order in which
        nova-scheduler reads them.
    :param others: for each other scheduler its file, or a folder of files.
    :param records: decision records, one of each scheduler host.
    """

    def __init__(
        self, files: Sequence[Path] = (), others: Sequence[Path] = (),
        records: Sequence[Path] = (),
    ) -> None:
        self.files = tuple(files)
        self.records = tuple(records)
        self.options = read(files)
        self.others = {
            str(path): read(_files(path)) for path in others
        }

    def value(self, group: str, name: str) -> str | None:
        """An option's last value; None where no file sets it."""
        values = self.options.get((group, name))
        return values[-1] if values else None


def find(
    files: Sequence[str] = (), folders: Sequence[str] = ()
) -> list[Path]:
    """The files that nova-scheduler would read.

    :param files: in place of those that it finds by itself.
    :param folders: in place of the folders that it finds.
    :raises NovaExtError: for a given file or folder that isn't there.
    """
    if not files and not folders:
        files = cfg.find_config_files('nova', 'nova-scheduler')
        folders = cfg.find_config_dirs('nova', 'nova-scheduler')
    found = [Path(name) for name in files]
    for folder in folders:
        found += _files(Path(folder))
    return found


def read(files: Iterable[Path]) -> Options:
    """The options that files set.

    :raises NovaExtError: for a file that can't be read.
    """
    given = [(sources.FILE, str(path)) for path in files]
    if not given:
        return {}
    found = sources.read(given)
    for one in found.unreadable:
        raise NovaExtError(f'{one.place} can\'t be read: {one.problem}')
    written = found.configuration
    values = {
        name: tuple(texts(written.values(*name)))
        for name, _ in written.settings()
    }
    return {
        name: all_of_it if name in _SEVERAL else all_of_it[-1:]
        for name, all_of_it in values.items()
    }


def _files(path: Path) -> list[Path]:
    """A file itself, or a folder's files in oslo.config's order."""
    return sorted(path.glob('*.conf')) if path.is_dir() else [path]
