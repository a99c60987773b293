"""The demonstration: boots whose hosts show who decided, and why.

Every command is a real one, shown before it runs; what came of it is read
from Nova's API and from the scheduler's own log.
"""

import shlex
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from prettytable import PrettyTable

from nova_ext.lab import clouds_yaml, environment, layout, servers, states
from nova_ext.lab.cloud import Cloud
from nova_ext.lab.errors import LabError
from nova_ext.lab.logs import size
from nova_ext.lab.place import Place

#: Prefix of the hosts that each client's servers belong on.
CLIENTS = {'doc': '10.1.0.5', 'ops': '10.2.0.5', 'dev': '192.0.2.5'}
DRIVER = 'nova_ext.scheduler_driver'
IP_SCHEDULER = 'IPScheduler'
_LOG_DEADLINE_S = 10.0
_CREATE = (
    'openstack', 'server', 'create', '--flavor', '1', '--image', 'cirros',
    '--nic', 'none',
)


@dataclass
class Demo:
    """One demonstration in one lab.

    :param place: the lab's folder.
    :param state: the lab, which is up.
    :param out: where all of it is shown.
    """

    place: Place
    state: states.State
    out: TextIO
    findings: list[tuple[str, str, str, bool]] = field(default_factory=list)

    def run(self) -> bool:
        """Show everything.

        :returns: whether all of it came out as it should.
        :raises LabError: when the lab lacks what it needs.
        """
        host = require_hosts(self.place, self.state)
        cloud = Cloud(self.state)
        clouds_yaml.write(self.place, self.state, self._clients())
        self._requested_host(cloud, host)
        self._no_such_host(cloud)
        if self.state.stock_schedulers:
            self._say('IPScheduler is a driver: nova-ext-scheduler has it, '
                      'Nova\'s own nova-scheduler does not.')
        else:
            self._three_clients(cloud)
        self._table()
        return all(ok for *_, ok in self.findings)

    def _clients(self) -> dict[str, dict[str, object]]:
        """Clouds whose requests arrive as from each client."""
        nova = self.state.url('nova')
        return {
            f'from-{prefix}': {
                **clouds_yaml.entry(self.state, 'admin'),
                'compute_endpoint_override': f'{nova}/client/{address}/v2.1',
            }
            for prefix, address in CLIENTS.items()
        }

    def _requested_host(self, cloud: Cloud, host: str) -> None:
        self._say('A hint names the host of a new server.')
        server = self._boot(
            cloud, 'demo-hint', '--hint', f'requested_host={host}'
        )
        self._found(
            f'--hint requested_host={host}', f'ACTIVE on {host}',
            _outcome(server),
        )

    def _no_such_host(self, cloud: Cloud) -> None:
        self._say('A host that does not exist: why is there none?')
        begun = self._log_sizes()
        server = self._boot(
            cloud, 'demo-nowhere', '--hint', 'requested_host=no-such-host'
        )
        line = 'Filter SpecifiedHostFilter returned 0 hosts'
        self._found(
            '--hint requested_host=no-such-host', 'ERROR', _outcome(server),
            self._in_log(line, begun),
        )
        told = self._command('nova-ext', 'explain', 'demo-nowhere')
        reason = 'requested_host is no-such-host (SpecifiedHostFilter)'
        self._found(
            'nova-ext explain demo-nowhere', reason,
            reason if reason in told else 'another reason',
        )

    def _three_clients(self, cloud: Cloud) -> None:
        self._say('Three clients, three groups of hosts: IPScheduler.')
        for prefix, address in CLIENTS.items():
            begun = self._log_sizes()
            server = self._boot(
                cloud, f'demo-{prefix}', cloud_name=f'from-{prefix}'
            )
            host = server.get('OS-EXT-SRV-ATTR:host') or ''
            fits = server['status'] == 'ACTIVE' and host.startswith(prefix)
            line = f'Request from {address} scheduled to {host}'
            self._found(
                f'client {address}', f'ACTIVE on {prefix}-*',
                _outcome(server), fits and self._in_log(line, begun),
            )

    def _boot(
        self, cloud: Cloud, name: str, *options: str, cloud_name: str = ''
    ) -> dict[str, str]:
        """Boot with the real command and wait for the outcome."""
        servers.remove(cloud, name)
        self._command(
            *_CREATE, *options, '-f', 'value', '-c', 'id', name,
            cloud=cloud_name,
        )
        made = servers.named(cloud, name)
        if not made:
            raise LabError(f'the command above created no server {name}')
        server = servers.settled(cloud, made[0]['id'])
        self._show(f'{name}: {_outcome(server)}')
        return server

    def _command(self, *words: str, cloud: str = '') -> str:
        """Show a command, run it, show and give its output."""
        variables = environment.variables(self.place)
        prefix = f'OS_CLOUD={cloud} ' if cloud else ''
        if cloud:
            variables['OS_CLOUD'] = cloud
        self._show(f'\n$ {prefix}{shlex.join(words)}')
        done = subprocess.run(
            words, env=variables, capture_output=True, text=True,
            check=False,
        )
        output = (done.stdout + done.stderr).strip()
        self._show(output)
        return output

    def _log_sizes(self) -> dict[Path, int]:
        """The logs that schedulers write to, and how long they are."""
        logs = [
            self.place.log(service.name)
            for service in layout.find(self.state, layout.SCHEDULER)
        ]
        return {log: size(log) for log in logs}

    def _in_log(self, words: str, begun: dict[Path, int]) -> bool:
        """Wait for a line of a scheduler's log, and show it."""
        deadline = time.monotonic() + _LOG_DEADLINE_S
        while time.monotonic() < deadline:
            for line in _lines(begun):
                if words in line:
                    self._show(f'nova-scheduler\'s log: {line}')
                    return True
            time.sleep(0.1)
        self._show(f'nova-scheduler\'s log has no line: {words}')
        return False

    def _found(
        self, what: str, expected: str, found: str, proven: bool = True
    ) -> None:
        matches = found.startswith(expected.removesuffix('*'))
        self.findings.append((what, expected, found, matches and proven))

    def _table(self) -> None:
        table = PrettyTable(
            ['What', 'Expected', 'Found', 'As expected'], align='l'
        )
        for what, expected, found, ok in self.findings:
            table.add_row([what, expected, found, 'yes' if ok else 'NO'])
        self._show(f'\n{table}')

    def _say(self, text: str) -> None:
        self._show(f'\n{text}')

    def _show(self, text: str) -> None:
        print(text, file=self.out, flush=True)


def require_hosts(place: Place, state: states.State) -> str:
    """Make sure that each group has a host.

    :returns: one of the group that the demo's own address belongs to.
    :raises LabError: when a group has none.
    """
    names = [host.name for host in state.hosts]
    found = [
        next((name for name in names if name.startswith(prefix)), '')
        for prefix in CLIENTS
    ]
    if not all(found):
        wanted = dict.fromkeys([*names, 'doc-1', 'ops-1', 'dev-1'])
        raise LabError(
            'demo needs hosts doc-*, ops-* and dev-*; add them: nova-ext '
            f'lab up --name {place.name} --computes {" ".join(wanted)}'
        )
    return found[-1]


def _lines(begun: dict[Path, int]) -> Iterator[str]:
    """The lines that logs have beyond these sizes."""
    for path, start in begun.items():
        with path.open('rb') as log:
            log.seek(start)
            yield from log.read().decode(errors='replace').splitlines()


def _outcome(server: dict[str, str]) -> str:
    host = server.get('OS-EXT-SRV-ATTR:host')
    status = server['status']
    return f'{status} on {host}' if host else status

