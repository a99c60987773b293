"""Tell what kind of file or folder a path names, and read it."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from nova_ext.config_files import sources
from nova_ext.core.base import errors

#: Suffixes of files that are no configuration, and what reads them.
_OTHERS = {
    '.json': 'the decision record; nova-ext explain reads it',
    '.log': 'a log; nova-ext explain --log reads it',
    '.md': 'a text', '.pyc': 'compiled code; name the .py file',
    '.rst': 'a text', '.tar': 'an archive', '.gz': 'an archive',
    '.whl': 'an archive; name the folder it is installed in',
}


def split(paths: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the paths of configurations, and those of plugins' code.

    A folder may be both.

    :raises NovaExtError: for a path that is neither.
    """
    files, code = [], []
    for path in paths:
        file = Path(path)
        if not file.exists():
            raise errors.NovaExtError(
                f'{path} can\'t be read: No such file or directory'
            )
        other = _OTHERS.get(file.suffix)
        if other and not file.is_dir():
            raise errors.NovaExtError(f'{path} seems to be {other}')
        if _is_code(file):
            code.append(path)
        if file.suffix != '.py' and (
            path not in code or has_configuration(file)
        ):
            files.append(path)
    return files, code


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
