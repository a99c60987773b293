"""Where a lab lives on disk."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from nova_ext.lab.state.errors import LabError

#: In the environment of each process of a lab: its folder.
MARKER = 'NOVA_EXT_LAB_FOLDER'
#: And the name of the service that it is, or that started it.
SERVICE_MARKER = 'NOVA_EXT_LAB_SERVICE'

_NAME = re.compile(r'[a-z0-9][a-z0-9_-]{0,39}')


def home() -> Path:
    """Return the folder that holds all labs."""
    given = os.environ.get('NOVA_EXT_LAB_HOME')
    if given:
        return Path(given).expanduser().absolute()
    return _xdg('XDG_STATE_HOME', '.local/state') / 'nova-ext' / 'labs'


def cache() -> Path:
    """Return the folder of what all labs can use again."""
    return _xdg('XDG_CACHE_HOME', '.cache') / 'nova-ext'


class Place:
    """The folder of one lab.

    :param folder: absolute path; its last part is the lab's name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = folder.name
        self.state_file = folder / 'lab.json'
        self.clouds_file = folder / 'clouds.yaml'
        self.record = folder / 'decisions.jsonl'
        self.databases = folder / 'db'
        self.locks = folder / 'locks'
        self.run = folder / 'run'

    @property
    def lock_file(self) -> Path:
        """Held by the command that changes the lab; outlives ``delete``."""
        return self.folder.parent / f'.{self.name}.lock'

    def configuration(self, service: str) -> Path:
        """Return the folder of a service's configuration."""
        return self.folder / 'etc' / service

    def log(self, service: str) -> Path:
        """Return a service's log."""
        return self.folder / 'log' / f'{service}.log'

    def phase(self, service: str) -> Path:
        """Return the file in which a service says how far it is."""
        return self.run / f'{service}.json'

    def make(self) -> None:
        """Create the folders; only their owner may enter."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.folder.chmod(0o700)
        for folder in (
            self.databases, self.locks, self.folder / 'log', self.run,
        ):
            folder.mkdir(exist_ok=True)

    def exists(self) -> bool:
        """Return whether a lab was created here."""
        return self.state_file.exists()


def named(name: str) -> Place:
    """Return the place of a lab, whether it exists or not.

    :raises LabError: for a name that can't be a folder.
    """
    if not _NAME.fullmatch(name):
        raise LabError(
            f'--name {name}: use up to 40 of a-z, 0-9, "-" and "_", '
            'beginning with a letter or digit'
        )
    return Place(home() / name)


def existing(name: str) -> Place:
    """Return the place of a lab that exists.

    :raises LabError: for an unknown name, listing the labs there are.
    """
    place = named(name)
    if not place.exists():
        labs = ', '.join(other.name for other in every()) or 'none'
        raise LabError(f'no lab named {name}; labs: {labs}')
    return place


def every() -> Iterator[Place]:
    """Return all labs of this home, by name."""
    folder = home()
    if folder.is_dir():
        for child in sorted(folder.iterdir()):
            place = Place(child)
            if _NAME.fullmatch(child.name) and place.exists():
                yield place


def _xdg(variable: str, otherwise: str) -> Path:
    given = os.environ.get(variable, '')
    # The specification has relative paths ignored.
    return Path(given) if given.startswith('/') else Path.home() / otherwise
