"""install.yml and uninstall.yml, in an environment of their own."""

import subprocess

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
        done = self.play('install')
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
