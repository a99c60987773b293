"""Find the overrides of nova.conf in kolla-ansible's folder."""

from pathlib import Path

#: Where kolla-ansible looks, in its order; {host} is the inventory's name.
ORDER = (
    'global.conf',
    'nova.conf',
    'nova/nova-scheduler.conf',
    'nova/{host}/nova.conf',
)


def list_files(folder: str, host: str = '') -> list[str]:
    """Return the files that kolla-ansible merges; later ones win.

    :param folder: node_custom_config, by default /etc/kolla/config.
    :param host: the scheduler host's name in the inventory.
    """
    names = [name for name in ORDER if host or '{host}' not in name]
    paths = [Path(folder, name.format(host=host)) for name in names]
    return [str(path) for path in paths if path.is_file()]


def list_ignored_files(folder: str) -> list[str]:
    """Return files that look like nova-scheduler's and are never read."""
    top = Path(folder)
    paths = [
        *top.glob('nova*scheduler*'),
        *(path for path in top.glob('nova/*scheduler*')
          if path.name != 'nova-scheduler.conf'),
        *top.glob('nova/nova.conf'),
    ]
    return [str(path) for path in sorted(paths)]


def blank_statements(lines: list[str]) -> list[str]:
    """Empty the lines of Jinja's statements, so that line numbers hold."""
    return [
        '' if line.lstrip().startswith(('{%', '{#')) else line
        for line in lines
    ]
