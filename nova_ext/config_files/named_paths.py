"""Tell what kind of file or folder a path names, and read it."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from nova_ext.config_files import sources, text
from nova_ext.core.base import errors

#: What lint reads, as the end of a refusal.
_READ = (
    'lint reads configuration files, folders of them and plugins\' .py files'
)
#: Suffixes of files that are no configuration, and what they are.
_OTHERS = {
    '.json': 'is no configuration; a record is for nova-ext explain --record',
    '.log': 'is a log; nova-ext explain --log reads it',
    '.pyc': 'is compiled code; name the .py file',
    '.whl': 'is an archive; name the folder it is installed in',
} | dict.fromkeys(
    ('.gz', '.html', '.md', '.rst', '.tar', '.tgz', '.toml', '.txt', '.zip'),
    f'is no configuration by its name; {_READ}',
)
#: Bytes at the beginning in which a file that is no text shows it.
_BEGINNING = 8192


def split(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the paths of configurations, and those of plugins' code.

    A folder may be both.

    :raises NovaExtError: for a path that is neither.
    """
    files, code = [], []
    for path in paths:
        file = Path(path)
        if not path or not file.exists():
            raise errors.NovaExtError(
                f'{path or repr(path)}: there is no such file or folder here; '
                f'{_READ}'
            )
        if not file.is_dir() and (other := _find_other(file)):
            raise errors.NovaExtError(f'{path} {other}')
        if _is_code(file):
            code.append(path)
        if file.suffix != '.py' and (
            path not in code or has_configuration(file)
        ):
            files.append(path)
    return files, code


def _find_other(file: Path) -> str:
    """Say what a file is, where it is no configuration and no code."""
    other = _OTHERS.get(file.suffix, '')
    if other or not file.is_file():
        return other
    try:
        with file.open('rb') as stream:
            start = stream.read(_BEGINNING)
    except OSError:  # refused where it is read
        return ''
    binary = b'\0' in start and not start.startswith(text.UTF_16)
    return f'is no text; {_READ}' if binary else ''


def read(paths: Sequence[str], layout: str | None = None) -> sources.Sources:
    """Read configuration files and folders in their order.

    :param layout: in place of the one that the files show.
    """
    return sources.read(
        [(sources.FOLDER if Path(path).is_dir() else sources.FILE, path)
         for path in paths],
        layout or _find_layout(paths),
    )


def _find_layout(paths: Sequence[str]) -> str:
    for path in map(Path, paths):
        if path.is_dir() and any(path.glob('user_*.yml')):
            return 'openstack-ansible'
        folder = path if path.is_dir() else path.parent
        if path.suffix in ('.yml', '.yaml'):
            return 'openstack-ansible'
        parts = folder.absolute().parts
        if ('kolla', 'config') in pairwise(parts) or (
            path.is_dir() and (
                (path / 'global.conf').is_file()
                or any(path.glob('nova/**/nova*.conf'))
            )
        ):
            return 'kolla'
    return 'packages'


def _is_code(path: Path) -> bool:
    """Say whether a path is a Python file, or a folder of such files."""
    if not path.is_dir():
        return path.suffix == '.py'
    return any(
        path.glob('*.py') if has_configuration(path) else path.rglob('*.py')
    )


def has_configuration(folder: Path) -> bool:
    """Say whether a folder has files of configuration."""
    return any(
        any(folder.glob(pattern))
        for pattern in ('*.conf', 'nova/**/*.conf', 'user_*.yml')
    )
