"""Make databases for tests."""

import atexit
import functools
import shutil
import tempfile
import uuid
from pathlib import Path

from nova_ext.database.database import Database
from nova_ext.zones.tables.models import OwnZone

#: Before a test of Nova's has its temporary files in a folder of its own,
#: which goes with it.
_TEMPORARY = tempfile.gettempdir()


def make_database(file: str | Path) -> Database:
    """Make an SQLite database with the schema of this release.

    Migrating takes longer than most tests, so it is done once a process. The
    zone's UUID is new, as in each database that was migrated.
    """
    shutil.copyfile(_make_template(), file)
    database = Database(f'sqlite:///{file}')
    with database.writing() as session:
        session.query(OwnZone).update({OwnZone.uuid: str(uuid.uuid4())})
    return database


@functools.cache
def _make_template() -> Path:
    folder = tempfile.TemporaryDirectory(dir=_TEMPORARY)
    file = Path(folder.name) / 'template.sqlite'
    database = Database(f'sqlite:///{file}')
    database.sync()
    # What is still in a journal is written into the file.
    database._facade.writer.get_engine().dispose()
    atexit.register(folder.cleanup)
    return file
