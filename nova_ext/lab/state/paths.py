"""Locate labs and their files on disk."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from nova_ext.lab.state.errors import LabError

#: Variables in the environment of each process of a lab: the lab's folder,
MARKER = 'NOVA_EXT_LAB_FOLDER'
#: and the service that the process is, or that started it.
SERVICE_MARKER = 'NOVA_EXT_LAB_SERVICE'

_NAME = re.compile(r'[a-z0-9][a-z0-9_-]{0,39}')


def home() -> Path:
    """Return the folder that holds all labs.

    :returns: always the same path: processes are marked with it.
    """
    if folder := os.environ.get('NOVA_EXT_LAB_HOME'):
        return Path(folder).expanduser().resolve()
    state = _xdg_folder('XDG_STATE_HOME', '.local/state')
    return (state / 'nova-ext' / 'labs').resolve()


def cache() -> Path:
    """Return the folder of files that all labs share."""
    return _xdg_folder('XDG_CACHE_HOME', '.cache') / 'nova-ext'


class LabFolder:
    """Represent the folder of one lab and the files in it.

    :param path: absolute path; its last part is the lab's name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        self.state_file = path / 'lab.json'
        self.clouds_file = path / 'clouds.yaml'
        self.record = path / 'decisions.jsonl'
        self.databases = path / 'db'
        self.locks = path / 'locks'
        self.run = path / 'run'

    @property
    def lock_file(self) -> Path:
        """Return the lock of commands, which ``delete`` removes at last."""
        return self.path.parent / f'.{self.name}.lock'

    def configuration(self, service: str) -> Path:
        """Return the folder of a service's configuration."""
        return self.path / 'etc' / service

    def log(self, service: str) -> Path:
        """Return the log of a service."""
        return self.path / 'log' / f'{service}.log'

    def phase(self, service: str) -> Path:
        """Return the file in which a service says how far it is."""
        return self.run / f'{service}.json'

    def create(self) -> None:
        """Create the folders; only their owner may enter."""
        self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.path.chmod(0o700)
        for folder in (
            self.databases, self.locks, self.path / 'log', self.run,
        ):
            folder.mkdir(exist_ok=True)

    def exists(self) -> bool:
        """Say whether a lab was created here."""
        return self.state_file.exists()


def locate(name: str) -> LabFolder:
    """Return the folder of a lab, even of one that does not exist.

    :raises LabError: for a name that can't be a folder.
    """
    if not _NAME.fullmatch(name):
        raise LabError(
            f'--name {name}: use up to 40 of a-z, 0-9, "-" and "_", '
            'beginning with a letter or digit'
        )
    return LabFolder(home() / name)


def find(name: str) -> LabFolder:
    """Return the folder of a lab that exists.

    :raises LabError: for an unknown name, listing the labs there are.
    """
    lab = locate(name)
    if not lab.exists():
        labs = ', '.join(other.name for other in list_labs()) or 'none'
        raise LabError(f'no lab named {name}; labs: {labs}')
    return lab


def list_labs() -> Iterator[LabFolder]:
    """Return all labs of this home, ordered by name."""
    folder = home()
    if folder.is_dir():
        for child in sorted(folder.iterdir()):
            lab = LabFolder(child)
            if _NAME.fullmatch(child.name) and lab.exists():
                yield lab


def _xdg_folder(variable: str, default: str) -> Path:
    folder = os.environ.get(variable, '')
    # The specification has relative paths ignored.
    return Path(folder) if folder.startswith('/') else Path.home() / default
