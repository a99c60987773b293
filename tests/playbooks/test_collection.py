"""The collection, and the role's script that looks for Nova."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import testtools

from tests.playbooks import base

FIND = base.PLAYBOOKS / 'roles/nova_ext/files/find_nova.py'


class CollectionTest(testtools.TestCase):
    """Build and install it."""

    def test_playbooks(self):
        """Each playbook runs by its full name, out of the built archive."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        environment = {
            **os.environ, 'ANSIBLE_CONFIG': str(base.HERE / 'ansible.cfg'),
            'ANSIBLE_HOME': folder.name,
            'ANSIBLE_COLLECTIONS_PATH': folder.name,
        }

        def run(*words):
            done = subprocess.run(
                [str(base.BIN / words[0]), *words[1:]], env=environment,
                text=True, check=False, cwd=folder.name,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )
            self.assertEqual(0, done.returncode, done.stdout)
            return done.stdout

        run('ansible-galaxy', 'collection', 'build', str(base.PLAYBOOKS))
        [archive] = Path(folder.name).glob('*.tar.gz')
        # openstack.cloud is beside ansible-core, where galaxy does not look.
        run('ansible-galaxy', 'collection', 'install', '--offline',
            '--no-deps', str(archive))
        for playbook in sorted(base.PLAYBOOKS.glob('*.yml')):
            if playbook.name != 'galaxy.yml':
                run('ansible-playbook', '--syntax-check', '--inventory',
                    str(base.PLAYBOOKS / 'inventory/example.yml'),
                    f'nova_ext.deploy.{playbook.stem}')


class FindTest(testtools.TestCase):
    """Look for the program that a unit starts."""

    def setUp(self):
        """Make a systemctl that answers as systemd does."""
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write('systemctl', '/bin/sh', f'cat {self.folder}/answer')

    def write(self, name, interpreter, text=''):
        """Write a program."""
        path = self.folder / name
        path.write_text(f'#!{interpreter}\n{text}\n')
        path.chmod(0o755)
        return path

    def find(self, start, command=''):
        """Run the script for a unit that starts something."""
        (self.folder / 'answer').write_text(
            '{ path=/x ; argv[]=' + start + ' ; ignore_errors=no ; pid=1 }\n'
        )
        return subprocess.run(
            [sys.executable, str(FIND), 'nova-scheduler', command, '/opt/x'],
            text=True, check=False, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, 'PATH': f'{self.folder}:{os.environ["PATH"]}'},
        )

    def test_virtual_environment(self):
        """The program's own Python; its folder has nova-ext, too."""
        program = self.write('nova-scheduler', sys.executable)
        found = json.loads(self.find(f'{program} --config-file /a').stdout)
        self.assertEqual(
            {'words': [str(program), '--config-file', '/a'],
             'python': sys.executable, 'bin': str(self.folder), 'path': ''},
            found,
        )

    def test_options(self):
        """Options of Python in the first line, as RPM's have them."""
        python = self.folder / 'python3'
        python.symlink_to(sys.executable)
        for options in ('-s', '-sP'):
            program = self.write('nova-scheduler', f'{python} {options}')
            found = json.loads(self.find(str(program)).stdout)
            self.assertEqual(str(python), found['python'])

    def test_distribution(self):
        """Where pip may not change the environment, a folder beside it."""
        python = self.write(
            'python3', '/bin/sh', 'echo True  # the answer of PEP 668'
        )
        program = self.write('nova-scheduler', python)
        found = json.loads(self.find(str(program)).stdout)
        self.assertEqual(('/opt/x/bin', '/opt/x'),
                         (found['bin'], found['path']))

    def test_scripts(self):
        """Where pip puts programs elsewhere, as Fedora's does for root."""
        python = self.write(
            'python3', '/bin/sh', "printf 'False\\n/usr/local/bin\\n'"
        )
        program = self.write('nova-scheduler', python)
        found = json.loads(self.find(str(program)).stdout)
        self.assertEqual(('/usr/local/bin', ''),
                         (found['bin'], found['path']))

    def test_no_unit(self):
        """A unit of another name has to be named; that is said."""
        self.write('systemctl', '/bin/sh',
                   'case $2 in *LoadState*) echo not-found ;; esac')
        done = self.find('')
        self.assertEqual(1, done.returncode)
        self.assertIn('no unit nova-scheduler', done.stdout)
        self.assertIn('nova_ext_unit: it is openstack-nova-scheduler',
                      done.stdout)

    def test_wrapper(self):
        """A wrapper's program has to be named; that is said."""
        done = self.find('/etc/init.d/nova-scheduler systemd-start')
        self.assertEqual(1, done.returncode)
        self.assertIn('nova_ext_command', done.stdout)
        program = self.write('nova-scheduler', sys.executable)
        done = self.find('/etc/init.d/nova-scheduler', f'{program} --a b')
        self.assertEqual([str(program), '--a', 'b'],
                         json.loads(done.stdout)['words'])
