"""Demonstrate by boots which extension places a server, and why.

Outcomes are read from Nova's API and from the scheduler's own log.
"""

import dataclasses
import shlex
import time
from collections.abc import Iterator
from pathlib import Path

from nova_ext.lab.demo.demo_output import Demonstration, outcome
from nova_ext.lab.lifecycle import logs
from nova_ext.lab.services import layout
from nova_ext.lab.services.cloud import (
    Cloud,
    build_cloud_entry,
    write_clouds_yaml,
)
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.hosts import Host
from nova_ext.lab.state.paths import LabFolder

#: A client's address, by the prefix of its hosts.
CLIENTS = {'doc': '10.1.0.5', 'ops': '10.2.0.5', 'dev': '192.0.2.5'}
DRIVER = 'nova_ext.scheduler_driver'
IP_SCHEDULER = 'IPScheduler'
_LOG_DEADLINE_S = 60.0


class Demo(Demonstration):
    """Show SpecifiedHostFilter and IPScheduler at work."""

    def run(self) -> bool:
        """Run the demonstration.

        :returns: whether every result is right.
        :raises LabError: when the lab lacks a host.
        """
        host = require_hosts(self.lab, self.state)
        cloud = Cloud(self.state)
        write_clouds_yaml(
            self.lab, self.state, self._client_clouds()
        )
        self._boot_on_host(cloud, host)
        self._boot_nowhere(cloud)
        if self.state.stock_schedulers:
            self.show(
                '\nIPScheduler is a driver: nova-ext-scheduler has it, '
                'Nova\'s own nova-scheduler does not.'
            )
        else:
            self._boot_for_clients(cloud)
        return self.table()

    def _client_clouds(self) -> dict[str, dict[str, object]]:
        """Return a cloud for each client, whose requests come from there."""
        nova = self.state.url('nova')
        return {
            f'from-{prefix}': {
                **build_cloud_entry(self.state, 'admin'),
                'compute_endpoint_override': f'{nova}/client/{address}/v2.1',
            }
            for prefix, address in CLIENTS.items()
        }

    def _boot_on_host(self, cloud: Cloud, host: str) -> None:
        self.show('\nA hint names the host of a new server.')
        server = self.boot(
            cloud, 'demo-hint', '--hint', f'requested_host={host}'
        )
        self.check(
            f'--hint requested_host={host}', f'ACTIVE on {host}',
            outcome(server),
        )

    def _boot_nowhere(self, cloud: Cloud) -> None:
        self.show('\nA host that does not exist: why is there none?')
        begun = self._log_sizes()
        server = self.boot(
            cloud, 'demo-nowhere', '--hint', 'requested_host=no-such-host'
        )
        line = 'Filter SpecifiedHostFilter returned 0 hosts'
        self.check(
            '--hint requested_host=no-such-host', 'ERROR', outcome(server),
            self._in_log(line, begun),
        )
        output = self.command('nova-ext', 'explain', 'demo-nowhere')
        reason = 'requested_host is no-such-host (SpecifiedHostFilter)'
        self.check(
            'nova-ext explain demo-nowhere', reason,
            reason if reason in output else 'another reason',
        )

    def _boot_for_clients(self, cloud: Cloud) -> None:
        self.show('\nThree clients, three groups of hosts: IPScheduler.')
        for prefix, address in CLIENTS.items():
            begun = self._log_sizes()
            server = self.boot(
                cloud, f'demo-{prefix}', cloud_name=f'from-{prefix}'
            )
            host = server.get('OS-EXT-SRV-ATTR:host') or ''
            fits = server['status'] == 'ACTIVE' and host.startswith(prefix)
            line = f'Request from {address} scheduled to {host}'
            self.check(
                f'client {address}', f'ACTIVE on {prefix}-*',
                outcome(server), fits and self._in_log(line, begun),
            )

    def _log_sizes(self) -> dict[Path, int]:
        """Return the bytes of each scheduler's log."""
        paths = [
            self.lab.log(service.name)
            for service in layout.find(self.state, layout.SCHEDULER)
        ]
        return {path: logs.size(path) for path in paths}

    def _in_log(self, words: str, begun: dict[Path, int]) -> bool:
        """Wait for a new line of a scheduler's log, and show it."""
        deadline = time.monotonic() + _LOG_DEADLINE_S
        while time.monotonic() < deadline:
            for line in _read_new_lines(begun):
                if words in line:
                    self.show(f'nova-scheduler\'s log: {logs.summarize(line)}')
                    return True
            time.sleep(0.1)
        self.show(f'nova-scheduler\'s log has no line: {words}')
        return False


def require_hosts(lab: LabFolder, state: lab_state.State) -> str:
    """Make sure that each client has a host.

    :returns: a host of the client that has the demo's own address.
    :raises LabError: when a client has none.
    """
    names = [host.name for host in state.hosts]
    matches = [
        next((name for name in names if name.startswith(prefix)), '')
        for prefix in CLIENTS
    ]
    if not all(matches):
        words = [
            *map(_format_host, state.hosts),
            *(name for prefix in CLIENTS if (name := f'{prefix}-1')
              not in names),
        ]
        raise LabError(
            'demo needs hosts doc-*, ops-* and dev-*; add them: nova-ext '
            f'lab up --name {lab.name} --computes {shlex.join(words)}'
        )
    return matches[-1]


def _format_host(host: Host) -> str:
    """Return a host as --computes takes it: what is not said is default."""
    sizes = ','.join(
        f'{field.name}={getattr(host, field.name)}'
        for field in dataclasses.fields(host) if field.default not in (
            dataclasses.MISSING, getattr(host, field.name)
        )
    )
    return f'{host.name}:{sizes}' if sizes else host.name


def _read_new_lines(begun: dict[Path, int]) -> Iterator[str]:
    """Return the lines that logs have beyond a number of bytes."""
    for path, start in begun.items():
        with path.open('rb') as log:
            log.seek(start)
            yield from log.read().decode(errors='replace').splitlines()

