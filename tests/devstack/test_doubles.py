"""The doubles refuse what devstack would not take."""

import os
import re
from pathlib import Path

from tests.devstack import base

#: Of the doubles alone.
HELPERS = {'strange', 'command_not_found_handle', 'takes', 'values',
           'replace', 'told'}
#: devstack's own, from which plugins are run.
FILES = ('functions', 'functions-common', 'inc/ini-config', 'inc/meta-config',
         'inc/python', 'inc/async', 'lib/apache', 'lib/database',
         'lib/keystone', 'lib/nova')


class DoublesTest(base.DevstackTestCase):
    """A plugin in the place of Blazar's makes one mistake."""

    def blame(self, line):
        """What is strange about a plugin of this line."""
        if 'DEVSTACK_DIR' in os.environ:
            self.skipTest('there are no doubles')
        plugin = self.machine / 'stack/blazar/devstack/plugin.sh'
        plugin.write_text(f'if [[ $2 == extra ]]; then\n{line}\nfi\n')
        self.local_conf(plugins=('blazar',))
        self.assertRaises(self.failureException, self.stack)
        return (self.machine / 'strange').read_text()

    def test_unknown_function(self):
        """Wherever it is called, its status unheeded."""
        self.assertEqual('devstack has no iniput\n',
                         self.blame('iniput a b c d || true'))

    def test_arguments(self):
        """Too few, or what run_process and sudo must not be given."""
        for line, words in (
            ('iniset $NOVA_CONF DEFAULT debug', 'iniset takes 4 arguments'),
            ('run_process n-sch "nova-scheduler"', 'run_process: nova-sch'),
            ('sudo pip install nova-ext', 'sudo pip install'),
            ('sudo rm -rf /opt/nova-ext', 'sudo rm -rf /opt/nova-ext'),
            ('die "no line number"', 'die takes 2 arguments'),
        ):
            self.assertIn(words, self.blame(line))
            (self.machine / 'strange').unlink()

    def test_real_devstack_has_them(self):
        """Every function that there is a double of."""
        if 'DEVSTACK_DIR' not in os.environ:
            self.skipTest('DEVSTACK_DIR names no checkout of devstack')
        named = r'^ *function (\w+)'
        doubles = re.findall(
            named, ''.join(
                (base.HERE / name).read_text()
                for name in ('doubles.sh', 'elsewhere.sh')
            ), re.MULTILINE
        )
        real = '\n'.join(
            Path(os.environ['DEVSTACK_DIR'], name).read_text()
            for name in FILES
        )
        self.assertEqual(
            set(),
            set(doubles) - HELPERS - set(
                re.findall(named, real, re.MULTILINE)
            ),
        )
