"""The demonstration: boots whose hosts show who decided, and why.

Every command is a real one, shown before it runs; what came of it is read
from Nova's API and from the scheduler's own log.
"""

import time
from collections.abc import Iterator
from pathlib import Path

from nova_ext.lab.demo.demo_output import Shown, outcome
from nova_ext.lab.lifecycle.logs import size
from nova_ext.lab.services import clouds_yaml, layout
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import Place

#: Prefix of the hosts that each client's servers belong on.
CLIENTS = {'doc': '10.1.0.5', 'ops': '10.2.0.5', 'dev': '192.0.2.5'}
DRIVER = 'nova_ext.scheduler_driver'
IP_SCHEDULER = 'IPScheduler'
_LOG_DEADLINE_S = 60.0


class Demo(Shown):
    """Boots that show who decided."""

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
            self.say('IPScheduler is a driver: nova-ext-scheduler has it, '
                     'Nova\'s own nova-scheduler does not.')
        else:
            self._three_clients(cloud)
        self.table()
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
        self.say('A hint names the host of a new server.')
        server = self.boot(
            cloud, 'demo-hint', '--hint', f'requested_host={host}'
        )
        self.check(
            f'--hint requested_host={host}', f'ACTIVE on {host}',
            outcome(server),
        )

    def _no_such_host(self, cloud: Cloud) -> None:
        self.say('A host that does not exist: why is there none?')
        begun = self._log_sizes()
        server = self.boot(
            cloud, 'demo-nowhere', '--hint', 'requested_host=no-such-host'
        )
        line = 'Filter SpecifiedHostFilter returned 0 hosts'
        self.check(
            '--hint requested_host=no-such-host', 'ERROR', outcome(server),
            self._in_log(line, begun),
        )
        told = self.command('nova-ext', 'explain', 'demo-nowhere')
        reason = 'requested_host is no-such-host (SpecifiedHostFilter)'
        self.check(
            'nova-ext explain demo-nowhere', reason,
            reason if reason in told else 'another reason',
        )

    def _three_clients(self, cloud: Cloud) -> None:
        self.say('Three clients, three groups of hosts: IPScheduler.')
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
        """Return the schedulers' logs, and how long they are."""
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
                    self.show(f'nova-scheduler\'s log: {line}')
                    return True
            time.sleep(0.1)
        self.show(f'nova-scheduler\'s log has no line: {words}')
        return False


def require_hosts(place: Place, state: lab_state.State) -> str:
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
    """Return the lines that logs have beyond these sizes."""
    for path, start in begun.items():
        with path.open('rb') as log:
            log.seek(start)
            yield from log.read().decode(errors='replace').splitlines()

