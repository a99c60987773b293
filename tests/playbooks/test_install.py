"""install.yml and uninstall.yml, in an environment of their own."""

import shutil
import subprocess
import zipfile

from tests.playbooks import base


class InstallTest(base.PlaybookTestCase):
    """Install and remove the package."""

    installed = False

    def packages(self):
        """Return the packages of the environment."""
        done = subprocess.run(
            [str(self.environment / 'bin/python'), '-m', 'pip', 'freeze',
             '--all'], text=True, check=True, stdout=subprocess.PIPE,
        )
        return set(done.stdout.splitlines())

    def test_install_and_uninstall(self):
        """One package comes, without an index, and goes; all else stays."""
        before = self.packages()
        foretold = self.play('install', '--check')
        self.assertEqual(before, self.packages())
        # As on a hardened host; the service's user has to read it.
        self.umask = 0o077
        done = self.play('install')
        self.umask = -1
        [package] = self.environment.glob('lib/*/site-packages/nova_ext')
        self.assertEqual(0o755, package.stat().st_mode & 0o777)
        self.assertEqual([('Install the wheel', 'one')], done.changed)
        self.assertEqual(foretold.changed, done.changed)
        [added] = self.packages() - before
        self.assertTrue(added.startswith('nova-ext'), added)
        self.assertEqual([], self.play('install').changed)

        self.play('configure')
        removed = self.play('uninstall')
        self.assertEqual(
            [('Remove what is ours alone', 'one'),
             ('Remove what is ours alone', 'one'),
             ('Restart the scheduler', 'one'), ('Remove the package', 'one')],
            removed.changed,
        )
        self.assertEqual(before, self.packages())
        self.assertNotIn('nova_ext', self.read('one', 'runs'))
        self.assertEqual([], self.play('uninstall').changed)

    def test_no_pip(self):
        """Another Python's pip is not taken for the environment's."""
        python = self.site / 'one/bin/python3'
        python.write_text(
            '#!/bin/sh\n[ "$2" != pip ] || exit 1\n'
            f'exec {self.environment}/bin/python "$@"\n'
        )
        python.chmod(0o755)
        program = self.site / 'one/bin/nova-scheduler'
        program.unlink()
        program.write_text(f'#!{python}\n')
        before = self.packages()
        refused = self.play('install', status=2)
        self.assertIn(f'{python} has no pip', refused.output)
        self.assertEqual([], refused.changed)
        self.assertEqual(before, self.packages())

    def test_no_host(self):
        """With a deployment tool's inventory it says that it does nothing."""
        self.hosts = {}
        done = self.play('install')
        self.assertIn('so nothing was installed', done.output)


class GitTest(base.PlaybookTestCase):
    """Take another source than a name."""

    installed = False

    def test_git(self):
        """A repository's address; what builds it is on this machine."""
        repository = self.site / 'repository'
        repository.mkdir()
        shutil.copytree(base.ROOT / 'nova_ext', repository / 'nova_ext')
        for file in base.BUILT_OF:
            shutil.copy(base.ROOT / file, repository)
        for words in (
            ['init', '--quiet'], ['add', '.'],
            ['-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit',
             '--quiet', '--message', 'x'],
        ):
            subprocess.run(['git', *words], cwd=repository, check=True)
        self.variables.update({
            'nova_ext_source': f'git+file://{repository}',
            'nova_ext_pip_args': '--no-index --no-build-isolation',
        })
        self.play('install')
        self.assertTrue((self.environment / 'bin/nova-ext').exists())


class DistributionTest(base.PlaybookTestCase):
    """Have a Python that pip may not change (PEP 668)."""

    installed = False

    def setUp(self):
        """Give the host such a Python, and name the folder beside it."""
        super().setUp()
        self.host = self.site / 'one'
        self.target = self.host / 'opt'
        python = self.host / 'bin/python3'
        python.write_text(
            '#!/bin/sh\n'
            'case $2 in\n*EXTERNALLY-MANAGED*) echo True ;;\n'
            f'*) exec {self.environment}/bin/python "$@" ;;\nesac\n'
        )
        python.chmod(0o755)
        program = self.host / 'bin/nova-scheduler'
        program.unlink()
        program.write_text(f'#!{python} -sP\n')
        self.variables['nova_ext_target'] = str(self.target)

    def make_wheel(self, version, more=''):
        """Return our wheel, as another version.

        :param more: lines of its metadata.
        """
        own = self.wheel.name.split('-')[1]
        path = self.site / self.wheel.name.replace(own, version, 1)
        with zipfile.ZipFile(self.wheel) as old, zipfile.ZipFile(
            path, 'w'
        ) as new:
            for name in old.namelist():
                text = old.read(name)
                if name.endswith(('/METADATA', '/RECORD')):
                    text = text.replace(
                        f'Version: {own}'.encode(),
                        f'Version: {version}{more}'.encode(),
                    ).replace(
                        f'nova_ext-{own}.'.encode(),
                        f'nova_ext-{version}.'.encode(),
                    )
                new.writestr(
                    name.replace(f'nova_ext-{own}.', f'nova_ext-{version}.'),
                    text,
                )
        return path

    def test_missing(self):
        """A package that ours needs is missing, at each run."""
        path = self.make_wheel('9.9.9', '\nRequires-Dist: no-such-package')
        for _ in range(2):
            failed = self.play('install', status=2, nova_ext_source=str(path))
            self.assertIn('requires no-such-package', failed.output)
        self.play('install')

    def install_wheel(self, path):
        """Install a wheel; a stand-in for what needs Nova comes after."""
        self.play('install', nova_ext_source=str(path))
        shutil.copy(base.HERE / 'nova-ext-scheduler', self.target / 'bin')
        runs = self.target / 'runs'
        if not runs.is_symlink():
            runs.symlink_to('../runs')
        return [
            one.name.removeprefix('nova_ext-').removesuffix('.dist-info')
            for one in self.target.glob('nova_ext-*.dist-info')
        ]

    def test_there_and_back(self):
        """A folder beside it; another version is activated, once."""
        first, second = self.wheel, self.make_wheel('9.9.9')
        [version] = self.install_wheel(first)
        self.play('configure')
        drop_in = 'systemd/one.service.d/nova-ext.conf'
        self.assertIn(f'Environment=PYTHONPATH={self.target}\n',
                      self.read('one', drop_in))
        self.assertEqual(1, len(self.restarts()))

        self.assertEqual(['9.9.9'], self.install_wheel(second))
        self.play('configure')
        self.assertEqual(2, len(self.restarts()))
        self.assertEqual([version], self.install_wheel(first))
        self.play('configure')
        self.assertEqual(3, len(self.restarts()))
        self.assertEqual([], self.play('configure').changed)

        self.play('uninstall')
        self.assertFalse(self.target.exists())
        self.assertIsNone(self.read('one', drop_in))
