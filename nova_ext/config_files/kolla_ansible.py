"""Find the overrides of nova.conf in kolla-ansible's folder."""

from pathlib import Path
from shlex import quote

from nova_ext.config_files.configuration import Ignored
from nova_ext.core.base.finding import Location

#: Where kolla-ansible looks, in its order. A host's own file,
#: nova/HOST/nova.conf, comes last.
ORDER = (
    'global.conf',
    'nova.conf',
    'nova/nova-scheduler.conf',
)


def list_files(folder: str) -> list[str]:
    """Return the files that kolla-ansible merges; later ones win.

    :param folder: node_custom_config, by default /etc/kolla/config.
    """
    paths = [Path(folder, name) for name in ORDER]
    return [str(path) for path in paths if path.is_file()]


def list_ignored_files(folder: str) -> list[Ignored]:
    """Return files that look like nova-scheduler's and are never read."""
    top = Path(folder)
    paths = {
        *top.glob('nova*scheduler*'), *top.glob('nova-*.conf'),
        *top.glob('nova/*scheduler*'), *top.glob('nova/nova.conf'),
        *top.glob('nova/*/*scheduler*'), *top.glob('nova*scheduler*/*'),
    }
    return [
        describe_ignored_file(path, top) for path in sorted(paths)
        if path.is_file() and path.relative_to(top).as_posix() not in ORDER
        and 'compute' not in path.name
    ]


def describe_ignored_file(path: Path, top: Path) -> Ignored:
    """Say that kolla-ansible does not read a file, and where it would."""
    home = top / 'nova' / 'nova-scheduler.conf'
    # What is there already must not be lost.
    command = (
        f'cat {quote(str(path))} >> {quote(str(home))} && '
        f'rm {quote(str(path))}' if home.exists()
        else f'mkdir -p {quote(str(home.parent))} && '
        f'mv {quote(str(path))} {quote(str(home))}'
    )
    return Ignored(
        Location(str(path)), 'kolla-ansible does not read this file', command
    )


def find_folder(path: Path) -> Path | None:
    """Return the configuration folder that a file seems to be in."""
    for folder in path.absolute().parents:
        if folder.name == 'config':
            return folder
    return None


def is_in_default_folder(path: str) -> bool:
    """Say whether a file or folder seems to be in kolla-ansible's folder."""
    top = find_folder(Path(path, 'any'))
    return top is not None and top.parent.name == 'kolla'


def is_read(path: Path, top: Path) -> bool:
    """Say whether kolla-ansible reads a file for nova-scheduler."""
    parts = path.absolute().relative_to(top).parts
    return '/'.join(parts) in ORDER or (
        len(parts) == 3 and (parts[0], parts[2]) == ('nova', 'nova.conf')
    )


def blank_statements(lines: list[str]) -> list[str]:
    """Empty the lines of Jinja's statements, so that line numbers hold.

    In a list, which an empty line would end, they stay.
    """
    result: list[str] = []
    end = ''
    for line in lines:
        text = line.strip()
        if text.startswith(('{%', '{#')):
            end = f'{text[1]}}}'
        in_list = bool(result) and result[-1].endswith(',')
        result.append((f' {text}' if in_list else '') if end else line)
        if end in text:
            end = ''
    return result
