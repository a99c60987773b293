"""Check a file that a command is to write, before long work."""

from pathlib import Path

from nova_ext.core.base.errors import NovaExtError


def check(path: Path | None, option: str, *read: Path) -> None:
    """Check that an option names a file that may be written.

    :param path: the file; None: the option is not given.
    :param read: what the command reads. A file in a folder of these is
        refused only where it is a journal.
    :raises NovaExtError: it can't be written, or would replace what is read.
    """
    if path is None:
        return
    if path.exists() and not path.is_file():
        raise NovaExtError(f'{path} can\'t be written: it is no file')
    if not path.parent.is_dir():
        raise NovaExtError(
            f'{path} can\'t be written: there is no folder {path.parent}'
        )
    if path.suffix == '.journal' or path.resolve() in {
        each.resolve() for each in read
    }:
        raise NovaExtError(
            f'{path} is read, or a journal: give {option} another file'
        )
