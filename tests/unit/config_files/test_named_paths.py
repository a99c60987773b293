"""Test that the kind of a path is found."""

import pathlib

from nova_ext.config_files import named_paths
from nova_ext.core.base import errors
from tests.unit.lint import base


class TestSplit(base.LintTestCase):
    """Test configurations and code."""

    def split(self, *names):
        """Split paths below the folder, and return names."""
        files, code = named_paths.split(
            [str(self.folder / name) for name in names]
        )
        return tuple(
            [str(pathlib.Path(path).relative_to(self.folder))
             for path in paths] for paths in (files, code)
        )

    def test_kinds(self):
        """Tell files and folders by their names and content."""
        for name in ('nova.conf', 'local.conf', 'user_variables.yml', 'a.py',
                     'pack/inner/b.py', 'conf.d/1.conf', 'both/c.conf',
                     'both/c.py'):
            self.write(name, '')
        self.assertEqual(
            (['nova.conf', 'local.conf', 'user_variables.yml', 'conf.d',
              'both'], ['a.py', 'pack', 'both']),
            self.split('nova.conf', 'local.conf', 'user_variables.yml',
                       'a.py', 'pack', 'conf.d', 'both'),
        )

    def test_others(self):
        """Refuse what is neither, and say what reads it."""
        for name in ('nova-scheduler.log', 'README.rst', 'a.toml',
                     'decisions.json'):
            self.write(name, '')
        (self.folder / 'scheduler').write_bytes(b'\x7fELF\0')
        for name, words in (
            ('nova-scheduler.log', 'nova-ext explain --log'),
            ('absent.py', 'no such file'), ('ctl-1.example.org', 'here'),
            ('README.rst', 'configuration files'), ('a.toml', 'by its name'),
            ('scheduler', 'is no text'), ('decisions.json', '--record'),
        ):
            error = self.assertRaises(errors.NovaExtError, self.split, name)
            self.assertIn(words, str(error))
        error = self.assertRaises(errors.NovaExtError, named_paths.split, [''])
        self.assertIn("'': there is no such file", str(error))


class TestLayout(base.LintTestCase):
    """Test the layout that files show."""

    def test_layout(self):
        """Know kolla-ansible's and OpenStack-Ansible's folders."""
        for name in ('kolla/config/nova.conf', 'own/nova/nova-scheduler.conf',
                     'own/nova.conf', 'deploy/user_variables.yml',
                     'nova.conf.d/1.conf', 'own/nova/ctl1/nova.conf'):
            self.write(name, '')
        for expected, name in (
            ('kolla', 'kolla/config'), ('kolla', 'kolla/config/nova.conf'),
            ('kolla', 'own'), ('openstack-ansible', 'deploy'),
            ('openstack-ansible', 'deploy/user_variables.yml'),
            ('packages', 'nova.conf.d'), ('packages', 'own/nova.conf'),
        ):
            path = str(self.folder / name)
            self.assertEqual(expected, named_paths.read([path]).layout, name)
        path = str(self.folder / 'own' / 'nova.conf')
        self.assertEqual('kolla', named_paths.read([path], 'kolla').layout)
