"""What demonstrations show: real commands, and what came of them.

Every command is shown before it runs; what was expected of it stands beside
what was found.
"""

import shlex
import subprocess
from dataclasses import dataclass, field
from typing import TextIO

from prettytable import PrettyTable

from nova_ext.lab.configuration import environment
from nova_ext.lab.demo import servers
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import Place

_CREATE = ('openstack', 'server', 'create')
_REST = ('--image', 'cirros', '--nic', 'none')


@dataclass
class Shown:
    """What one demonstration shows in one lab.

    :param place: the lab's folder.
    :param state: the lab, which is up.
    :param out: where all of it is shown.
    """

    place: Place
    state: lab_state.State
    out: TextIO
    findings: list[tuple[str, str, str, bool]] = field(default_factory=list)

    def boot(
        self, cloud: Cloud, name: str, *options: str, cloud_name: str = '',
        flavor: str = '1',
    ) -> dict[str, str]:
        """Boot with the real command and wait for the outcome."""
        servers.remove(cloud, name)
        self.command(
            *_CREATE, '--flavor', flavor, *_REST, *options,
            '-f', 'value', '-c', 'id', name, cloud=cloud_name,
        )
        made = servers.named(cloud, name)
        if not made:
            raise LabError(f'the command above created no server {name}')
        server = servers.settled(cloud, made[0]['id'])
        self.show(f'{name}: {outcome(server)}')
        return server

    def command(self, *words: str, cloud: str = '') -> str:
        """Show a command, run it, show and give its output."""
        prefix = f'OS_CLOUD={cloud} ' if cloud else ''
        self.show(f'\n$ {prefix}{shlex.join(words)}')
        done = self.execute(*words, cloud=cloud)
        output = (done.stdout + done.stderr).strip()
        self.show(output)
        return output

    def execute(
        self, *words: str, cloud: str = ''
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the lab, and show nothing."""
        variables = environment.variables(self.place)
        if cloud:
            variables['OS_CLOUD'] = cloud
        return subprocess.run(
            words, env=variables, capture_output=True, text=True,
            check=False,
        )

    def check(
        self, what: str, expected: str, seen: str, proven: bool = True
    ) -> None:
        """Note whether it is as expected, which may end with ``*``."""
        matches = (
            seen.startswith(expected.removesuffix('*'))
            if expected.endswith('*') else seen == expected
        )
        self.findings.append((what, expected, seen, matches and proven))

    def table(self) -> None:
        """Show what was expected and what was found."""
        table = PrettyTable(
            ['What', 'Expected', 'Found', 'As expected'], align='l'
        )
        for what, expected, found, ok in self.findings:
            table.add_row([what, expected, found, 'yes' if ok else 'NO'])
        self.show(f'\n{table}')

    def say(self, text: str) -> None:
        """Show a sentence of one's own."""
        self.show(f'\n{text}')

    def show(self, text: str) -> None:
        """Show a text at once."""
        print(text, file=self.out, flush=True)


def outcome(server: dict[str, str]) -> str:
    """Return what became of a server, as ``ACTIVE on cmp-1``."""
    host = server.get('OS-EXT-SRV-ATTR:host')
    status = server['status']
    return f'{status} on {host}' if host else status
