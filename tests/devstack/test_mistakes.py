"""A mistake in local.conf stops the stack before the scheduler is started."""

import re
import socket
import sys
from pathlib import Path

from oslo_config import fixture

from nova_ext.core.base import errors
from nova_ext.scheduler.base import options
from nova_ext.scheduler.startup import startup_check
from tests.devstack import base

UNKNOWN_FILTER = """
[[post-config|$NOVA_CONF]]
[filter_scheduler]
enabled_filters = ComputeFilter,SpecifedHostFilter
"""

SUBSET = """
[[{phase}|$NOVA_CONF]]
[filter_scheduler]
host_subset_size = 3
"""


class RefusalTest(base.DevstackTestCase):
    """What the check says is what the stack says."""

    def setUp(self):
        """A check that refuses one line."""
        super().setUp()
        (self.machine / 'wrong').write_text('host_subset_size = 3')

    def test_stops(self):
        """One line, and no scheduler."""
        self.local_conf(meta=SUBSET.format(phase='post-config'))
        said = self.stack(status=1)
        [line] = [line for line in said.splitlines() if '[ERROR]' in line]
        self.assertTrue(
            line.endswith('nova-ext-scheduler: host_subset_size = 3 is wrong'),
            line,
        )
        self.assertEqual(0, self.starts)

    def test_checks_what_is_going_to_be_read(self):
        """With the lines that devstack merges after the check."""
        self.local_conf(meta=UNKNOWN_FILTER)
        self.stack()
        self.assertEqual(
            ['ComputeFilter,SpecifedHostFilter'],
            self.values('enabled_filters',
                        path=self.machine / 'checked.conf'),
        )
        self.assertFalse((self.machine / 'etc/nova-ext-tried.conf').exists())

    def test_late_lines(self):
        """A mistake in phase extra stops the stack before the restart."""
        for mode in ('plugin', 'scheduler'):
            self.local_conf(f'NOVA_EXT_MODE={mode}',
                            meta=SUBSET.format(phase='extra'))
            said = self.stack(status=1)
            self.assertIn('host_subset_size = 3 is wrong', said)
            self.assertEqual('nova-scheduler', self.command)
            self.assertNotIn(
                'host_subset_size', (self.running / 'nova.conf').read_text()
            )
            self.run_script('unstack')

    def test_no_such_mode(self):
        """It is seen before anything is installed."""
        self.local_conf('NOVA_EXT_MODE=guest')
        self.assertIn(
            'NOVA_EXT_MODE=guest: write plugin,', self.stack(status=1)
        )
        self.assertEqual([], self.has('installed'))

    def test_driver_without_its_scheduler(self):
        """The stock scheduler would leave it out in silence."""
        self.local_conf('NOVA_EXT_DRIVERS=IPScheduler')
        self.assertIn('set NOVA_EXT_MODE=scheduler', self.stack(status=1))

    def refuse(self, line, *expected):
        """Stop before the install, with one line that has these words."""
        self.local_conf(*line.split())
        errors = [told for told in self.stack(status=1).splitlines()
                  if '[ERROR]' in told]
        self.assertEqual(1, len(errors), errors)
        for words in expected:
            self.assertIn(words, errors[0])
        self.assertEqual([], self.has('installed'))

    def test_no_driver(self):
        """No name is no name of Nova's own way."""
        for mode in ('plugin', 'scheduler'):
            for names in ('', ','):
                self.refuse(
                    f'NOVA_EXT_MODE={mode} NOVA_EXT_DRIVERS={names}',
                    f'NOVA_EXT_DRIVERS={names}: name a driver, such as',
                )

    def test_two_compute_drivers(self):
        """Ours, and one of a plain file."""
        path = self.machine / 'mine.py'
        path.write_text('class Mine(driver.ComputeDriver):\n    pass\n')
        for names, compute in (
            ('FilterScheduler,IPScheduler', 'FilterScheduler, IPScheduler'),
            ('nova_ext.drivers.chance:ChanceScheduler,ZoneAwareScheduler,Mine',
             'nova_ext.drivers.chance:ChanceScheduler, Mine'),
        ):
            self.refuse(
                f'NOVA_EXT_MODE=scheduler NOVA_EXT_DRIVERS={names} '
                f'NOVA_EXT_PLUGIN_FILES={path}',
                f'{compute} are drivers of topic compute, which has one',
            )

    def test_mirror(self):
        """It is one of three words, and not of the stock scheduler."""
        self.refuse('NOVA_EXT_MODE=scheduler NOVA_EXT_MIRROR=true',
                    'NOVA_EXT_MIRROR=true: write off, verify or on')
        self.refuse('NOVA_EXT_MIRROR=on', 'set NOVA_EXT_MODE=scheduler')

    def test_neither_true_nor_false(self):
        """A misspelt word does not stand for the default."""
        for name in ('RECORD', 'API', 'TEMPEST',
                     'TEMPEST_HINT_FOR_EVERYONE'):
            self.refuse(f'NOVA_EXT_{name}=Flase',
                        f'NOVA_EXT_{name}=Flase: write True or False')

    def test_no_such_option(self):
        """The likely one is named; what is exported is another's."""
        self.refuse(
            'NOVA_EXT_FITLERS=OtherFilter',
            'NOVA_EXT_FITLERS: no such option; did you mean NOVA_EXT_FILTERS?',
        )
        self.local_conf('export NOVA_EXT_LAB_HOME=/home/labs')
        self.stack()

    def test_does_not_answer(self):
        """A scheduler that runs and is deaf stops the stack, too."""
        (self.machine / 'deaf').touch()
        self.assertIn('n-sch does not answer', self.stack(status=1))


class WrittenTest(base.DevstackTestCase):
    """The real check, on what the plugin wrote."""

    def check(self, *localrc, meta=''):
        """Stack, and check what the scheduler was going to read.

        :returns: the refusal; empty where there is none.
        """
        self.local_conf(*localrc, meta=meta)
        self.stack()
        conf = self.useFixture(fixture.Config(options.CONF)).conf
        conf(['--config-file', str(self.machine / 'checked.conf')],
             project='nova')
        try:
            startup_check.check()
        except errors.NovaExtError as error:
            return str(error)
        return ''

    def test_right(self):
        """Both modes' defaults are fine."""
        self.assertEqual('', self.check())
        self.assertEqual('', self.check(
            'NOVA_EXT_MODE=scheduler', 'NOVA_EXT_DRIVERS=IPScheduler'
        ))

    def test_sample(self):
        """It is fine as it stands, and with what it has as comments."""
        localrc = self.read_sample('local.conf')
        self.assertEqual('', self.check(*localrc.splitlines()))
        self.assertEqual('nova-scheduler', self.command)
        chosen = re.sub('^#(?=NOVA_EXT)', '', localrc, flags=re.MULTILINE)
        self.assertEqual('', self.check(*chosen.splitlines()))
        self.assertEqual('nova-ext-scheduler', self.command)
        host = socket.gethostname()
        self.assertEqual(
            [f'10.1.0.0/16={host}1,10.2.0.0/16={host}2'],
            self.values('rules', 'nova_ext_ip_scheduler'),
        )

    def test_other_samples(self):
        """The mirror's, and that of zones."""
        for name, option in (('mirror', 'mirror = on'),
                             ('zones', 'scheduler_driver = ZoneAware')):
            localrc = self.read_sample(f'local-{name}.conf')
            self.assertEqual('', self.check(*localrc.splitlines()))
            self.assertEqual('nova-ext-scheduler', self.command)
            self.assertIn(option, self.nova_conf.read_text())

    def read_sample(self, name):
        """Return the part of a sample above the line with enable_plugin."""
        sample = (base.ROOT / 'devstack/samples' / name).read_text()
        _, _, localrc = sample.partition('[[local|localrc]]\n')
        localrc, _, plugin = localrc.partition('enable_plugin')
        self.assertEqual(3, len(plugin.split()), 'no branch: devstack '
                         'would check out master')
        return localrc

    def test_unknown_filter(self):
        """Of the plugin's option, in plugin mode, too."""
        self.assertIn(
            'enabled_filters = SpecifedHostFilter: no such filter; did you',
            self.check('NOVA_EXT_FILTERS=SpecifedHostFilter'),
        )
        self.assertIn('SpecifedHostFilter: no such filter',
                      self.check(meta=UNKNOWN_FILTER))

    def test_hint_rule(self):
        """A rule that oslo.policy would let nobody pass."""
        for rule, words in (
            ('role:admin or (', "= 'role:admin or (' can't be parsed; "),
            ('rule:nobdy', 'names the rule nobdy, which is not defined; '),
            ('a"b', 'expected <block end>'),
        ):
            said = self.check(f"NOVA_EXT_HINT_RULE='{rule}'")
            self.assertIn('[nova_ext] policy_file = ', said)
            self.assertIn(words, said)

    def test_unknown_driver(self):
        """The likely one is named."""
        self.assertIn('did you mean IPScheduler?', self.check(
            'NOVA_EXT_MODE=scheduler', 'NOVA_EXT_DRIVERS=IPSchedular'
        ))

    def test_malformed_rule(self):
        """The rule is named."""
        self.assertIn('10.1.x is no network', self.check(
            'NOVA_EXT_MODE=scheduler', 'NOVA_EXT_DRIVERS=IPScheduler',
            'NOVA_EXT_IP_RULES=10.1.x=doc',
        ))


class CommandTest(base.DevstackTestCase):
    """The installed command in the place of its double."""

    def test_stops(self):
        """It runs from the phase, and the stack ends with its line."""
        (self.machine / 'bin').unlink()
        (self.machine / 'bin').symlink_to(Path(sys.prefix, 'bin'))
        self.local_conf('NOVA_EXT_FILTERS=SpecifedHostFilter')
        said = self.stack(status=1)
        self.assertIn(
            'nova-ext-scheduler: [filter_scheduler] enabled_filters = '
            'SpecifedHostFilter: no such filter; did you mean '
            'SpecifiedHostFilter?', said,
        )
        self.assertNotIn('Traceback', said)
        self.assertEqual(0, self.starts)
