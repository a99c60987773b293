"""Run the lab of one mode, and give it the configurations it needs."""

import contextlib
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nova_ext.lab.configuration import environment
from nova_ext.lab.process import databases
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state import lab_state, paths
from nova_ext.lab.state.paths import LabFolder
from tests.truth import configurations
from tests.truth.model import DISK_GB, HOSTS, MEMORY_MB, VCPUS
from tests.truth.stage import DEADLINE_S

NAME = 'truth'


class Lab:
    """Represent a running lab of ten hosts.

    :param mode: one of those of ``run_mode``.
    """

    def __init__(self, mode: str) -> None:
        self._mode = mode
        self._configured: str | None = None
        self._options: set[str] = set()

    @property
    def folder(self) -> LabFolder:
        """Return the lab's folder."""
        return paths.find(NAME)

    def configure(self, name: str) -> LabUser:
        """Start the lab, or start Nova again, with a configuration.

        :returns: the lab's administrator.
        """
        if name != self._configured:
            settings = {
                **configurations.COMMON,
                **configurations.OF_MODES.get(self._mode, {}),
                **configurations.CONFIGURATIONS[name],
            }
            words = [
                word for option, values in settings.items()
                for value in values for word in ('--set', f'{option}={value}')
            ]
            words += [
                word for option in sorted(self._options - settings.keys())
                for word in ('--unset', option)
            ]
            command(
                'up', '--name', NAME, '--computes', *(
                    f'{host}:vcpus={VCPUS},ram_mb={MEMORY_MB},'
                    f'disk_gb={DISK_GB}' for host in HOSTS
                ), *words,
                '--stock' if self._mode == 'plugin' else '--no-stock',
            )
            self._configured, self._options = name, set(settings)
        cloud = LabUser(lab_state.load(self.folder))
        # A Nova that hangs is found, too.
        cloud.session.timeout = DEADLINE_S
        return cloud

    def end_evacuations(self) -> None:
        """Mark evacuations as a source's nova-compute does when it starts."""
        self._execute(
            "UPDATE migrations SET status = 'completed' WHERE "
            "status = 'done' AND migration_type = 'evacuation'"
        )

    def set_node(self, host: str, column: str, value: Any) -> Any:
        """Have Nova know something else of a compute node.

        :returns: what it knew before.
        """
        ((before,),) = self._execute(
            f'SELECT {column} FROM compute_nodes WHERE host = ?',  # noqa: S608
            host,
        )
        self._execute(
            f'UPDATE compute_nodes SET {column} = ?, updated_at = '  # noqa: S608
            "strftime('%Y-%m-%d %H:%M:%f000', 'now') WHERE host = ?",
            value, host,
        )
        return before

    def _execute(self, statement: str, *values: Any) -> list[Any]:
        """Run a statement in Nova's database; return its rows."""
        with contextlib.closing(sqlite3.connect(
            self.folder.databases / databases.NOVA, timeout=60
        )) as database, database:
            return database.execute(statement, values).fetchall()

    def discard(self) -> None:
        """Remove a lab in which something was left; a new one is started."""
        command('delete', '--name', NAME)
        self._configured, self._options = None, set()


@contextlib.contextmanager
def run(mode: str) -> Iterator[Lab]:
    """Give a block a lab of its own, and remove it after."""
    with tempfile.TemporaryDirectory(prefix='nova-ext-truth-') as home:
        os.environ['NOVA_EXT_LAB_HOME'] = home
        os.environ['PYTHONPATH'] = str(configurations.PLUGINS)
        try:
            lab = Lab(mode)
            lab.configure('usual')
            os.environ.update(environment.build_for_command(lab.folder))
            yield lab
        finally:
            command('delete', '--name', NAME)


def command(*words: str) -> None:
    """Run a command of labs.

    :raises RuntimeError: when it fails, with what it printed.
    """
    program = Path(sys.prefix) / 'bin' / 'nova-ext'
    done = subprocess.run(
        [str(program), 'lab', *words], text=True, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    if done.returncode:
        raise RuntimeError(f'lab {" ".join(words)}:\n{done.stdout}')
