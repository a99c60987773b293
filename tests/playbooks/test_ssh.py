"""The playbooks over SSH, to an sshd of the tests' own on this machine."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

from tests.playbooks import base

FILE = 'etc/nova/conf.d/zz-nova-ext.conf'
#: Not on the PATH of every user.
SSHD = shutil.which('sshd', path=f'{os.environ["PATH"]}:/usr/sbin')
DEADLINE_S = 60


class SSHTest(base.PlaybookTestCase):
    """Reach a host over SSH; it is a folder all the same."""

    installed = False

    def setUp(self):
        """Start an sshd that lets in one key."""
        super().setUp()
        if not SSHD or not shutil.which('ssh-keygen'):
            self.skipTest('sshd and ssh-keygen are not installed')
        for key in ('host', 'user'):
            subprocess.run(
                ['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f',
                 str(self.site / key)], check=True,
            )
        with socket.create_server(('127.0.0.1', 0)) as free:
            port = free.getsockname()[1]
        self.make_separation_folder()
        self.start(port)
        self.variables.update({
            'ansible_connection': 'ssh', 'ansible_host': '127.0.0.1',
            'ansible_port': port, 'ansible_user': getpass.getuser(),
            'ansible_ssh_private_key_file': str(self.site / 'user'),
            # Without the files of the tests' user.
            'ansible_ssh_args': '-F none -o ControlMaster=auto '
            '-o ControlPersist=5s -o StrictHostKeyChecking=no '
            '-o UserKnownHostsFile=/dev/null',
        })

    def start(self, port):
        """Start it, and end it with the test."""
        log = self.site / 'sshd.log'
        process = subprocess.Popen([
            SSHD, '-D', '-E', str(log), '-f', '/dev/null', '-p', str(port),
            *(word for option in (
                'ListenAddress=127.0.0.1', f'HostKey={self.site}/host',
                f'AuthorizedKeysFile={self.site}/user.pub', 'StrictModes=no',
                'PasswordAuthentication=no', 'PidFile=none', 'UsePAM=no',
                'PermitRootLogin=prohibit-password',
                f'SetEnv=PATH={self.site}/bin:{os.environ["PATH"]}',
            ) for word in ('-o', option)),
        ])
        self.addCleanup(process.wait, DEADLINE_S)
        self.addCleanup(process.terminate)
        deadline = time.monotonic() + DEADLINE_S
        while not log.exists() or 'listening' not in log.read_text():
            if process.poll() is not None or time.monotonic() > deadline:
                self.fail(f'sshd does not start: {log.read_text()}')
            time.sleep(0.1)

    def make_separation_folder(self):
        """Make what sshd wants as root; Debian's unit makes it, too."""
        folder = Path('/run/sshd')
        if os.getuid() == 0 and not folder.exists():
            folder.mkdir()
            self.addCleanup(folder.rmdir)

    def test_there_and_back(self):
        """Install, configure, once; then go back."""
        self.play('install')
        self.play('configure')
        self.assertEqual(['restart one'], self.restarts())
        self.assertIn('SpecifiedHostFilter', self.read('one', FILE))
        self.assertEqual([], self.play('configure').changed)
        run, _ = self.journal()
        self.play('rollback', run=run)
        self.assertIsNone(self.read('one', FILE))
