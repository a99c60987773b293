"""kolla-ansible's folder of overrides for nova-scheduler."""

from pathlib import Path

#: Where kolla-ansible looks, in its order; {host} is the inventory's name.
ORDER = (
    'global.conf',
    'nova.conf',
    'nova/nova-scheduler.conf',
    'nova/{host}/nova.conf',
)


def files(folder: str, host: str = '') -> list[str]:
    """The files that kolla-ansible merges, later ones win.

    :param folder: node_custom_config, by default /etc/kolla/config.
    :param host: the scheduler host's name in the inventory.
    """
    names = [name for name in ORDER if host or '{host}' not in name]
    paths = [Path(folder, name.format(host=host)) for name in names]
    return [str(path) for path in paths if path.is_file()]


def strays(folder: str) -> list[str]:
    """Files that look as if they were meant for it and are not read."""
    top = Path(folder)
    found = [
        *top.glob('nova*scheduler*'),
        *(path for path in top.glob('nova/*scheduler*')
          if path.name != 'nova-scheduler.conf'),
        *top.glob('nova/nova.conf'),
    ]
    return [str(path) for path in sorted(found)]


def without_statements(lines: list[str]) -> list[str]:
    """The lines with those of Jinja's own blanked, so that numbers hold."""
    return [
        '' if line.lstrip().startswith(('{%', '{#')) else line
        for line in lines
    ]
