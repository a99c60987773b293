"""What stack.sh leaves, on every kind of node."""

from tests.devstack import base
from tests.devstack.base import BLAZARS, NOVAS, OURS


class GuestTest(base.DevstackTestCase):
    """Plugin mode, which is what the line with enable_plugin brings alone."""

    def test_installed(self):
        """Once, as devstack installs what runs as a service."""
        self.stack()
        self.assertEqual(
            [f'-e {self.machine}/stack/nova-ext[api,client]'],
            self.has('installed'),
        )

    def test_nova_conf(self):
        """Multi-valued options as such, and Nova's default kept."""
        self.stack()
        self.assertEqual(
            [NOVAS, OURS['available_filters']],
            self.values('available_filters'),
        )
        self.assertEqual(
            [OURS['weight_classes']], self.values('weight_classes')
        )
        [enabled] = self.values('enabled_filters')
        self.assertEqual('SpecifiedHostFilter', enabled.split(',')[-1])
        self.assertIn('DifferentHostFilter', enabled)
        self.assertEqual(
            [f'{self.machine}/stack/data/nova-ext/decisions.jsonl'],
            self.values('file', 'nova_ext_record'),
        )
        self.assertEqual(['True'], self.values('enabled', 'nova_ext_record'))

    def test_policy(self):
        """The hint is open to everyone, in the file that nova.conf names."""
        self.stack()
        [policy] = self.values('policy_file', 'nova_ext')
        self.assertEqual(f'{self.machine}/etc/nova-ext-policy.yaml', policy)
        self.assertEqual(
            ['"nova_ext:requested_host": "@"'],
            self.has('etc/nova-ext-policy.yaml'),
        )

    def test_scheduler(self):
        """The stock one, started once: it read all of it at its start."""
        self.stack()
        self.assertEqual('nova-scheduler', self.command)
        self.assertEqual(1, self.starts)
        self.assertEqual(
            self.nova_conf.read_text(),
            (self.running / 'nova.conf').read_text(),
        )

    def test_again(self):
        """A second stack changes nothing, and starts the scheduler once."""
        self.stack()
        first = self.nova_conf.read_text()
        self.run_script('unstack')
        self.stack()
        self.assertEqual(first, self.nova_conf.read_text())
        self.assertEqual('nova-scheduler', self.command)
        self.assertEqual(2, self.starts)

    def test_a_phase_twice(self):
        """Every phase leaves what it left the first time."""
        self.stack()
        once = {path: path.read_text() for path in (
            self.nova_conf, self.tempest_conf,
            self.machine / 'etc/nova-ext-policy.yaml',
        )}
        self.run_script('unstack')
        self.run_script('stack', TWICE='yes')
        for path, text in once.items():
            self.assertEqual(text, path.read_text())
        self.assertEqual(2, self.starts)

    def test_blazar(self):
        """Its lines stay, whichever plugin comes first."""
        for plugins in (('nova-ext', 'blazar'), ('blazar', 'nova-ext')):
            self.local_conf(plugins=plugins)
            self.stack()
            self.assertEqual(
                {NOVAS, OURS['available_filters'], BLAZARS},
                set(self.values('available_filters')),
            )
            self.assertEqual(3, len(self.values('available_filters')))
            [enabled] = self.values('enabled_filters')
            self.assertIn('SpecifiedHostFilter', enabled.split(','))
            self.assertIn('BlazarFilter', enabled.split(','))
            self.assertEqual(
                self.nova_conf.read_text(),
                (self.running / 'nova.conf').read_text(),
            )
            self.run_script('unstack')

    def test_users_lines(self):
        """They are merged after ours; ours stand beside them in the end."""
        self.local_conf(meta="""
[[post-config|$NOVA_CONF]]
[filter_scheduler]
available_filters = their.filters.First
available_filters = their.filters.Second
host_subset_size = 2
[nova_ext_record]
max_files = 9
""")
        self.stack()
        self.assertEqual(
            ['their.filters.First', 'their.filters.Second',
             OURS['available_filters']],
            self.values('available_filters'),
        )
        self.assertEqual(['2'], self.values('host_subset_size'))
        self.assertEqual(['9'], self.values('max_files', 'nova_ext_record'))
        self.assertEqual(
            self.nova_conf.read_text(),
            (self.running / 'nova.conf').read_text(),
            'the scheduler was not restarted',
        )
        self.assertEqual(2, self.starts)

    def test_users_one_line(self):
        """It takes the place of each of ours, which come back."""
        self.local_conf(meta="""
[[post-config|$NOVA_CONF]]
[filter_scheduler]
available_filters = their.filters.Only
""")
        self.stack()
        self.assertEqual(
            ['their.filters.Only', OURS['available_filters']],
            self.values('available_filters'),
        )

    def test_users_late_lines(self):
        """What local.conf changes in phase extra is read by a restart."""
        self.local_conf(meta="""
[[extra|$NOVA_CONF]]
[filter_scheduler]
host_subset_size = 3
""")
        self.stack()
        self.assertIn(
            'host_subset_size = 3',
            (self.running / 'nova.conf').read_text(),
        )

    def test_neutron_beside(self):
        """Neither loses what the other writes at the same time."""
        self.run_script('stack', RACE='yes')
        self.assertEqual(['password'], self.values('auth_type', 'neutron'))
        self.assertEqual(['FilterScheduler'],
                         self.values('scheduler_driver', 'nova_ext'))

    def test_options(self):
        """Every option of local.conf reaches its file."""
        self.local_conf(
            'NOVA_EXT_FILTERS=HeadroomFilter,OtherFilter',
            'NOVA_EXT_AVAILABLE_FILTERS=a.All,b.One', 'NOVA_EXT_WEIGHERS=',
            'NOVA_EXT_PLUGIN_FILES=/home/a.py,/home/b.py',
            'NOVA_EXT_HINT_RULE=role:admin',
            f'NOVA_EXT_POLICY_FILE={self.machine}/etc/other.yaml',
            'NOVA_EXT_IP_RULES=10.9.0.0/16=x', 'NOVA_EXT_IP_DEFAULT_PREFIX=y',
            'NOVA_EXT_RECORD=False', 'NOVA_EXT_TEMPEST=False',
        )
        self.stack()
        self.assertEqual([NOVAS, 'a.All', 'b.One'],
                         self.values('available_filters'))
        self.assertEqual([], self.values('weight_classes'))
        [enabled] = self.values('enabled_filters')
        self.assertEqual(['HeadroomFilter', 'OtherFilter'],
                         enabled.split(',')[-2:])
        self.assertEqual(['/home/a.py', '/home/b.py'],
                         self.values('plugin_files', 'nova_ext'))
        self.assertEqual(['"nova_ext:requested_host": "role:admin"'],
                         self.has('etc/other.yaml'))
        self.assertEqual(['10.9.0.0/16=x'],
                         self.values('rules', 'nova_ext_ip_scheduler'))
        self.assertEqual(
            ['y'], self.values('default_prefix', 'nova_ext_ip_scheduler')
        )
        self.assertEqual(['False'], self.values('enabled', 'nova_ext_record'))
        self.assertFalse(self.tempest_conf.exists())

    def test_weighers_beside(self):
        """Others stay, in the one line that Nova reads; none counts twice."""
        novas = 'nova.scheduler.weights.all_weighers'
        for theirs, all_of_them in (
            ('a.One,b.Two', f'a.One,b.Two,{OURS["weight_classes"]}'),
            (f'a.One,{novas}',
             f'a.One,{novas},nova_ext.scheduler.weights.all_weighers'),
        ):
            self.local_conf(meta=f"""
[[post-config|$NOVA_CONF]]
[filter_scheduler]
weight_classes = {theirs}
""")
            for _ in range(2):
                self.stack()
                self.assertEqual(
                    [all_of_them], self.values('weight_classes')
                )
            self.run_script('unstack')
            self.assertEqual([theirs], self.values('weight_classes'))

    def test_two_cells(self):
        """The scheduler's own file is written, and no cell's."""
        self.local_conf('NOVA_NUM_CELLS=2')
        self.stack()
        for cell in (1, 2):
            self.assertNotIn('nova_ext', '\n'.join(
                self.has(f'etc/nova_cell{cell}.conf')
            ))
            self.assertEqual(
                1, len(self.values('connection', 'database',
                                   self.machine / f'etc/nova_cell{cell}.conf'))
            )
        self.assertEqual('nova-scheduler', self.command)
        self.assertIn(OURS['available_filters'],
                      self.values('available_filters'))

    def test_fake_computes(self):
        """Nothing of it depends on how the computes are made."""
        self.stack()
        usual = self.values('available_filters')
        self.run_script('unstack')
        self.local_conf('VIRT_DRIVER=fake', 'NUMBER_FAKE_NOVA_COMPUTE=3')
        self.stack()
        self.assertEqual(usual, self.values('available_filters'))

    def test_compute_node(self):
        """Without a scheduler nothing is installed, written or started."""
        self.local_conf(
            'ENABLED_SERVICES=n-cpu,placement-client',
            'NOVA_EXT_MODE=scheduler',
        )
        self.stack()
        self.assertEqual([], self.has('installed'))
        self.assertNotIn('nova_ext', self.nova_conf.read_text())
        self.assertNotIn('SpecifiedHostFilter', self.nova_conf.read_text())
        self.assertFalse(self.tempest_conf.exists())
        before = self.nova_conf.read_text()
        self.run_script('unstack')
        self.run_script('clean')
        self.assertEqual(0, self.starts)
        self.assertEqual(before, self.nova_conf.read_text())


class SchedulerTest(base.DevstackTestCase):
    """Scheduler mode, our scheduler as the unit's command."""

    def choose(self, mode, *localrc):
        """Write local.conf for a mode."""
        self.local_conf(f'NOVA_EXT_MODE={mode}', *localrc)

    def test_scheduler(self):
        """It runs, with what was configured."""
        self.choose(
            'scheduler', 'NOVA_EXT_DRIVERS=IPScheduler,their.package:Storage',
        )
        self.stack()
        self.assertEqual('nova-ext-scheduler', self.command)
        self.assertEqual(['IPScheduler', 'their.package:Storage'],
                         self.values('scheduler_driver', 'nova_ext'))
        self.assertEqual(
            self.nova_conf.read_text(),
            (self.running / 'nova.conf').read_text(),
        )

    def test_mirror(self):
        """It is switched on, and has numpy."""
        self.choose('scheduler', 'NOVA_EXT_MIRROR=verify')
        self.stack()
        self.assertEqual(['verify'], self.values('mirror', 'nova_ext'))
        self.assertEqual(
            [f'-e {self.machine}/stack/nova-ext[api,client,mirror]'],
            self.has('installed'),
        )

    def test_trace(self):
        """The log of devstack has what the phases run, as of any plugin."""
        said = self.run_script('stack', TRACE='yes')
        for words in ('nova_ext_check_options', 'iniset_multiline',
                      'nova_ext_start_api'):
            self.assertRegex(said, rf'(?m)^\++ (\S+ )?{words}\b')

    def test_there_and_back(self):
        """A stack with the other mode changes the unit, unstacked or not."""
        for mode, command in (
            ('plugin', 'nova-scheduler'),
            ('scheduler', 'nova-ext-scheduler'),
            ('scheduler', 'nova-ext-scheduler'),
            ('plugin', 'nova-scheduler'),
        ):
            self.choose(mode)
            self.stack()
            self.assertEqual(command, self.command)
        self.choose('scheduler')
        self.stack()
        self.run_script('unstack')
        self.choose('plugin')
        self.stack()
        self.assertEqual('nova-scheduler', self.command)
        self.local_conf(plugins=())
        self.stack()
        self.assertNotIn('nova_ext', self.nova_conf.read_text())


class TempestTest(base.DevstackTestCase):
    """What Tempest is told, in phase test-config."""

    def read_option(self, option, section='nova_ext'):
        """Return a value in tempest.conf."""
        return self.values(option, section, self.tempest_conf)

    def test_options(self):
        """Where the log and the record are, and who may use the hint."""
        self.stack()
        self.assertEqual(
            ['True'], self.read_option('nova_ext', 'service_available')
        )
        self.assertEqual(['True'], self.read_option('specified_host_filter'))
        self.assertEqual(
            [base.UNIT], self.read_option('scheduler_journal_unit')
        )
        self.assertEqual(self.values('file', 'nova_ext_record'),
                         self.read_option('record'))
        self.assertEqual(['True'], self.read_option('hint_for_everyone'))
        self.assertEqual(['stack systemd-journal'], self.has('groups'))

    def test_otherwise(self):
        """Options that turn something off are heeded."""
        self.local_conf(
            'NOVA_EXT_FILTERS=', 'NOVA_EXT_RECORD=no',
            'NOVA_EXT_HINT_RULE=role:admin',
            'NOVA_EXT_TEMPEST_CLIENTS=10.1.0.5:doc,10.2.0.5:ops',
        )
        self.stack()
        self.assertEqual(['True'],
                         self.read_option('nova_ext', 'service_available'))
        self.assertEqual(['False'], self.read_option('specified_host_filter'))
        self.assertEqual([], self.read_option('record'))
        self.assertEqual(['False'], self.read_option('hint_for_everyone'))
        self.assertEqual(['10.1.0.5:doc,10.2.0.5:ops'],
                         self.read_option('ip_scheduler_groups'))

    def test_blanks(self):
        """A blank after a comma hides no filter, and doubles no weigher."""
        self.local_conf('NOVA_EXT_FILTERS="OtherFilter, SpecifiedHostFilter"',
                        'NOVA_EXT_WEIGHERS="a.One, b.Two"')
        self.stack()
        self.assertEqual(['a.One,b.Two'], self.values('weight_classes'))
        [enabled] = self.values('enabled_filters')
        self.assertEqual(['OtherFilter', 'SpecifiedHostFilter'],
                         enabled.split(',')[-2:])
        self.assertEqual(['True'], self.read_option('specified_host_filter'))

    def test_hint_for_everyone(self):
        """Only who wrote the rule knows whom it means, unless it is @."""
        for lines, everyone in (
            (['NOVA_EXT_HINT_RULE=role:member',
              'NOVA_EXT_TEMPEST_HINT_FOR_EVERYONE=yes'], 'True'),
            (['NOVA_EXT_TEMPEST_HINT_FOR_EVERYONE=False'], 'False'),
        ):
            self.local_conf(*lines)
            self.stack()
            self.assertEqual(
                [everyone], self.read_option('hint_for_everyone')
            )

    def test_plugin(self):
        """It is installed beside those that are named already, once."""
        ours = str(self.machine / 'stack/nova-ext')
        for named, wanted in (
            ('', ours), ('TEMPEST_PLUGINS=0', ours),
            ('TEMPEST_PLUGINS=/opt/other', f'/opt/other {ours}'),
            (f'TEMPEST_PLUGINS={ours}', ours),
        ):
            self.local_conf(named)
            self.stack()
            [line] = [line for line in self.has('variables')
                      if line.startswith('TEMPEST_PLUGINS=')]
            self.assertEqual(wanted, line.partition('=')[2].strip("'"))
            self.run_script('unstack')
