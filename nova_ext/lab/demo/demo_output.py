"""Show real commands of a demonstration, and check their results.

Everything fits 100 columns: tables of commands by cliff's option, other
lines by folding.
"""

import errno
import re
import shlex
import subprocess
from dataclasses import dataclass, field
from typing import TextIO

from prettytable import PrettyTable

from nova_ext.lab.configuration import environment
from nova_ext.lab.services import servers
from nova_ext.lab.services.cloud import Cloud
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder

WIDTH = 100
_CREATE = ('openstack', 'server', 'create')
_REST = ('--image', 'cirros', '--nic', 'none')
# Where a line may be folded: after a space or an ampersand, and a command
# only before an option.
_TEXT, _OPTIONS = re.compile('(?<=[ &])'), re.compile('(?<= )(?=-)')


@dataclass
class Demonstration:
    """Run commands in a lab, show them, and check their results.

    :param lab: the lab's folder.
    :param state: the state of the lab, which is up.
    :param out: the stream that everything is shown on.
    :ivar checks: a title, a result and whether it is right, for each check.
    """

    lab: LabFolder
    state: lab_state.State
    out: TextIO
    checks: list[tuple[str, str, bool]] = field(default_factory=list)

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
        created = servers.find(cloud, name)
        if not created:
            raise LabError(f'the command above created no server {name}')
        server = servers.wait_until_built(cloud, created[0]['id'])
        self.show(f'{name}: {outcome(server)}')
        return server

    def command(self, *words: str, cloud: str = '') -> str:
        """Show a command, run it, and show and return its output."""
        self.show_command(*words, cloud=cloud)
        done = self.execute(*words, cloud=cloud)
        output = (done.stdout + done.stderr).strip()
        self.show(output)
        return output

    def execute(
        self, *words: str, cloud: str = ''
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the lab, and show nothing."""
        variables = environment.build_for_command(self.lab)
        variables['CLIFF_MAX_TERM_WIDTH'] = str(WIDTH)
        variables['OS_CLOUD'] = cloud or environment.ADMIN
        return subprocess.run(
            words, env=variables, capture_output=True, text=True,
            check=False,
        )

    def check(
        self, title: str, expected: str, result: str, confirmed: bool = True
    ) -> None:
        """Check a result against an expected one, which may end with ``*``.

        :param confirmed: whether what else belongs to the result was seen,
            such as a line of a log.
        """
        matches = (
            result.startswith(expected.removesuffix('*'))
            if expected.endswith('*') else result == expected
        )
        if not matches:
            result = f'{result}; expected: {expected}'
        self.checks.append((title, result, matches and confirmed))

    def table(self) -> bool:
        """Show all checks, and say whether every result is right."""
        table = PrettyTable(['What', 'Result', 'OK'], align='l')
        table.max_width.update({'What': 35, 'Result': 52})
        for title, result, ok in self.checks:
            table.add_row([title, result, 'yes' if ok else 'NO'])
        self.show(f'\n{table}')
        return all(ok for *_, ok in self.checks)

    def show_command(self, *words: str, cloud: str = '') -> None:
        """Show a command as it is typed."""
        prefix = f'OS_CLOUD={cloud} ' if cloud else ''
        command = f'$ {prefix}{shlex.join(words)}'
        self._write('\n' + _fold(command, _OPTIONS, ' \\'))

    def show(self, text: str) -> None:
        """Show a text, its long lines folded."""
        self._write('\n'.join(
            _fold(line, _TEXT) for line in text.split('\n')
        ))

    def _write(self, text: str) -> None:
        try:
            print(text, file=self.out, flush=True)
        except OSError as error:
            # What is undone after a terminal was closed is shown to nobody.
            if error.errno != errno.EIO:
                raise


def outcome(server: dict[str, str]) -> str:
    """Return what became of a server, as ``ACTIVE on cmp-1``."""
    host = server.get('OS-EXT-SRV-ATTR:host')
    status = server['status']
    return f'{status} on {host}' if host else status


def _fold(line: str, breaks: re.Pattern[str], end: str = '') -> str:
    """Break a line where it is too wide.

    :param end: ends each line but the last.
    """
    lines = ['']
    for piece in breaks.split(line):
        if lines[-1] and len((lines[-1] + piece).rstrip() + end) > WIDTH:
            lines[-1] = lines[-1].rstrip() + end
            lines.append('    ')
        lines[-1] += piece
    return '\n'.join(lines)
