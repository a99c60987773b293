"""What nova.conf says, on this machine and in copies of others' files.

Read as text: Nova's options are known to Nova alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from oslo_config import cfg

from nova_ext.core.errors import NovaExtError

#: Option by group, with its values; a later file replaces them.
Options = Mapping[str, Mapping[str, tuple[str, ...]]]


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
        values = self.options.get(group, {}).get(name)
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
    """The options that files set, the last file's where several do.

    :raises NovaExtError: for a file that can't be read.
    """
    merged: dict[str, dict[str, tuple[str, ...]]] = {}
    for path in files:
        sections: dict[str, dict[str, list[str]]] = {}
        try:
            cfg.ConfigParser(str(path), sections).parse()
        except (OSError, UnicodeDecodeError, cfg.ParseError) as error:
            raise NovaExtError(
                f'{path} can\'t be read: {_reason(error)}'
            ) from error
        for group, options in sections.items():
            merged.setdefault(group, {}).update({
                name: tuple(values) for name, values in options.items()
            })
    return merged


def _files(path: Path) -> list[Path]:
    """A file itself, or a folder's files in oslo.config's order."""
    return sorted(path.glob('*.conf')) if path.is_dir() else [path]


def _reason(error: Exception) -> str:
    # The text of a line, which the error itself quotes, may be a secret.
    if isinstance(error, cfg.ParseError):
        return f'line {error.lineno}: {error.msg}'
    return getattr(error, 'strerror', None) or type(error).__name__
