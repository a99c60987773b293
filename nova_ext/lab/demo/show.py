"""Run commands in a lab, show them, and compare results with expected ones."""

import shlex
import subprocess
import textwrap
from typing import TextIO

from prettytable import PrettyTable

from nova_ext.lab.configuration import environment
from nova_ext.lab.services import servers
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state import lab_state
from nova_ext.lab.state.paths import LabFolder

_WIDTH = 100
_CREATE = (
    'openstack', 'server', 'create', '--flavor', '1', '--image', 'cirros',
    '--nic', 'none', '--format=value', '--column=id',
)


class Show:
    """Show what commands do in a lab.

    :param lab: the lab's folder; the lab is up.
    :param out: the stream to write to.
    """

    def __init__(self, lab: LabFolder, out: TextIO) -> None:
        self.lab = lab
        self.state = lab_state.load(lab)
        self.cloud = LabUser(self.state)
        self._out = out
        self._results: list[tuple[str, str, bool]] = []

    def print(self, text: str) -> None:
        """Write a text."""
        print(text, file=self._out, flush=True)

    def run(self, *words: str, cloud: str = '', lines: int = 0) -> str:
        """Show a command, run it, show its output and return all of it.

        :param cloud: name of a cloud in the lab's ``clouds.yaml``.
        :param lines: how many lines of the output to show; 0: all.
        """
        prefix = f'OS_CLOUD={cloud} ' if cloud else ''
        self.print('\n' + ' \\\n    '.join(textwrap.wrap(
            f'$ {prefix}{shlex.join(words)}', _WIDTH - 6,
            break_long_words=False, break_on_hyphens=False,
        )))
        done = subprocess.run(
            words, capture_output=True, text=True, check=False, env={
                **environment.build_for_command(self.lab),
                'CLIFF_MAX_TERM_WIDTH': str(_WIDTH),
                'OS_CLOUD': cloud or environment.ADMIN,
            },
        )
        output = (done.stdout + done.stderr).strip()
        shown = output.splitlines()
        if lines and len(shown) > lines:
            shown[lines:] = ['…']
        self.print('\n'.join(shown))
        return output

    def boot(self, name: str, *options: str, cloud: str = '') -> str:
        """Create a server, and show its status and host when it is built.

        :returns: such as ``ACTIVE on cmp-1`` or ``ERROR``.
        """
        servers.remove(self.cloud, name)
        self.run(*_CREATE, *options, name, cloud=cloud)
        status = 'not created'
        for server in servers.find(self.cloud, name):
            server = servers.wait_until_built(self.cloud, server['id'])
            host = server.get('OS-EXT-SRV-ATTR:host')
            status = server['status'] + (f' on {host}' if host else '')
        self.print(f'{name}: {status}')
        return status

    def expect(self, what: str, expected: str, result: str) -> None:
        """Note a result, which begins with what is expected if it is right."""
        right = result.startswith(expected)
        if not right:
            result = f'{result}; expected: {expected}'
        self._results.append((what, result, right))

    def end(self) -> bool:
        """Show all results in a table, and say whether they are right."""
        table = PrettyTable(['What', 'Result', 'OK'], align='l')
        table.max_width.update({'What': 35, 'Result': 52})
        for what, result, right in self._results:
            table.add_row([what, result, 'yes' if right else 'NO'])
        self.print(f'\n{table}')
        return all(right for *_, right in self._results)
