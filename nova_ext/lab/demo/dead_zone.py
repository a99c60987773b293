"""Demonstrate a build during which a zone is killed, and stays dead."""

import time
from collections.abc import Mapping
from concurrent import futures
from typing import Any

import psutil

from nova_ext.core.base.progress import Progress
from nova_ext.lab.demo.demo_output import Demonstration
from nova_ext.lab.demo.zone_servers import (
    COUNT,
    NAME,
    PLAN,
    REQUEST,
    connect,
    count_servers,
    describe,
    list_builds,
    list_servers,
    read_table,
)
from nova_ext.lab.lifecycle import processes
from nova_ext.lab.lifecycle.up import restored_settings
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state, lock, paths
from nova_ext.lab.state.errors import LabError

#: Of the parent zone. Nobody watches for the half hour that a build waits for
#: a silent zone by default.
SETTINGS = {
    'nova_ext_builds.unknown_s': ['60'],
    'nova_ext_builds.build_timeout_s': ['120'],
}
#: Seconds until the builder has begun, or says what it undoes, at most.
_PATIENCE_S = 120
_POLL_S = 0.05
_COLUMNS = ('-c', 'Number', '-c', 'Zone', '-c', 'State', '-c', 'Reason')
_DEAD = 'with a dead zone'


class DeadZone(Demonstration):
    """Kill the child zone of a lab while servers are built there."""

    def run(self) -> None:
        """Run the demonstration, and give the lab back as it was.

        :raises LabError: when a zone does not come up again.
        """
        progress = Progress()
        with restored_settings(self.lab, [*SETTINGS], progress) as change:
            change(SETTINGS)
            self._show(connect(self.lab, lab_state.load(self.lab)))

    def _show(self, clouds: Mapping[str, Cloud]) -> None:
        own = next(iter(clouds.values()))
        known = list_builds(own)
        try:
            self._build(clouds)
        finally:
            # Closing a terminal sends several signals.
            with lock.ignore_signals():
                self._start_again()
            for build in list_builds(own) - known:
                self._delete(build, clouds)

    def _build(self, clouds: Mapping[str, Cloud]) -> None:
        self.show(
            '\nNow the child zone is killed as soon as servers are created '
            'there, and stays dead.\nThe zone below it is out of reach then.'
        )
        (own, cloud), (child, _), *_ = clouds.items()
        words = (
            *PLAN, 'create', *REQUEST, '--min', '1', '--wait', NAME,
        )
        known = list_builds(cloud)
        self.show_command(*words)
        with futures.ThreadPoolExecutor(1) as pool:
            command = pool.submit(self.execute, *words)
            build = self._wait(cloud, known, own, command)
            self.show_command('kill', '-KILL', *map(str, self._kill()))
            self.show('\n' + command.result().stdout.partition('\n')[0])
        self._settle(cloud, build)
        output = self.command(*PLAN, 'show', *_COLUMNS, build)
        sentence, rows = output.partition('\n')[0], read_table(output)
        active = [row for row in rows if row['State'] == 'active']
        self.check(
            f'{_DEAD}: create', f'{NAME}: active: {len(active)} of {COUNT} '
            'servers are ACTIVE', sentence.partition(';')[0],
        )
        self.check(
            f'{_DEAD}: ACTIVE in Nova', _describe_names(
                row['Number'] for row in rows if row['Zone'] == own
            ), _describe_names(
                server['name'].rpartition('-')[2]
                for server in list_servers(cloud)
                if server['status'] == 'ACTIVE'
            ),
        )
        self.check(
            f'{_DEAD}: the others', 'each is explained',
            'each is explained' if rows != active and all(
                row['Reason'] or f'in zone {row["Zone"]}' in sentence
                for row in rows if row not in active
            ) else 'some are not',
        )
        listed = read_table(self.command(
            'openstack', 'scheduler', 'zone', 'list'
        ))
        self.check(f'{_DEAD}: zone list', f'{child}: False', ', '.join(
            f'{row["Name"]}: {row["Is Active"]}' for row in listed
        ))

    def _wait(
        self, cloud: Cloud, known: set[str], own: str,
        command: 'futures.Future[Any]',
    ) -> str:
        """Wait until something was sent to another zone.

        :returns: the build's UUID.
        :raises LabError: when nothing is.
        """
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline and not command.done():
            for build in list_builds(cloud) - known:
                if any(
                    item['zone'] != own and item['state'] != 'planned'
                    for item in _list_items(cloud, build)
                ):
                    return build
            time.sleep(_POLL_S)
        raise LabError('nothing was sent to the child zone')

    @staticmethod
    def _settle(cloud: Cloud, build: str) -> None:
        """Wait until the build says what it undoes."""
        deadline = time.monotonic() + _PATIENCE_S
        while time.monotonic() < deadline and any(
            item['state'] == 'sent' for item in _list_items(cloud, build)
        ):
            time.sleep(_POLL_S)

    def _kill(self) -> list[int]:
        """End all processes of the child zone at once.

        :returns: their ids.
        """
        child = paths.find(self._get_child())
        running = processes.find(
            child, lab_state.load(child).processes.values()
        )
        for process in running:
            process.kill()
        psutil.wait_procs(running, _PATIENCE_S)
        return sorted(process.pid for process in running)

    def _get_child(self) -> str:
        zone = self.state.zone
        if zone is None or zone.child is None:
            raise LabError(f'lab {self.lab.name} has no child zone')
        return zone.child

    def _start_again(self) -> None:
        """Start the child zone.

        :raises LabError: when it does not come up.
        """
        words = ('nova-ext', 'lab', 'up', '--name', self._get_child())
        self.show(
            '\nThe zone starts again, and the build is deleted with all that '
            'came of it.'
        )
        self.show_command(*words)
        done = self.execute(*words)
        if done.returncode:
            raise LabError(done.stderr.strip().rpartition('\n')[2])
        self.show(done.stdout.partition('\n')[0])

    def _delete(self, build: str, clouds: Mapping[str, Cloud]) -> None:
        self.command(*PLAN, 'delete', build)
        self.execute(*PLAN, 'show', '--wait', build)
        self.check(
            f'{_DEAD}: servers in the end', describe({}, clouds),
            describe(count_servers(clouds), clouds),
        )


def _list_items(cloud: Cloud, build: str) -> list[Mapping[str, Any]]:
    items: list[Mapping[str, Any]] = cloud.get(
        'scheduler', f'/v1/builds/{build}'
    )['build']['items']
    return items


def _describe_names(numbers: Any) -> str:
    return ', '.join(sorted(numbers, key=int)) or 'none'
