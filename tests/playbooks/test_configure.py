"""configure.yml, with hosts that are folders."""

from tests.playbooks import base

FILE = 'etc/nova/conf.d/zz-nova-ext.conf'
UNIT = 'systemd/{}.service.d/nova-ext.conf'
PASSED_ON = 'correct-horse'
OUR_WEIGHERS = 'nova_ext.scheduler.weights.all_weighers'
RAM = 'nova.scheduler.weights.ram.RAMWeigher'


class ConfigureTest(base.PlaybookTestCase):
    """Configure one scheduler."""

    def test_configure(self):
        """What was enabled stays, ours comes last; all as foretold, once."""
        foretold = self.play('configure', '--check', '--diff')
        self.assertIsNone(self.read('one', FILE))
        self.assertEqual([], self.restarts())
        # Whoever closed a folder had a reason.
        folder = self.site / 'one/etc/nova/conf.d'
        folder.chmod(0o750)
        done = self.play('configure', '--diff')
        self.assertEqual(0o750, folder.stat().st_mode & 0o777)
        self.assertIn('This site has one scheduler', done.output)
        self.assertEqual(1, done.output.count('use_queue_manager is off'))
        self.assertIn(
            'enabled_filters = ComputeFilter,SameHostFilter,'
            'SpecifiedHostFilter\n', self.read('one', FILE),
        )
        self.assertIn(f'weight_classes = {OUR_WEIGHERS},',
                      self.read('one', FILE))
        self.assertNotIn('SpecifiedHostWeigher does', done.output)
        self.assertIn(
            'TimeoutStopSec=200\n', self.read('one', UNIT.format('one'))
        )
        self.assertEqual(['restart one'], self.restarts())
        self.assertNotEqual([], done.changed)
        self.assertEqual(foretold.changed, done.changed)
        self.assertEqual(foretold.differences, done.differences)
        again = self.play('configure')
        self.assertEqual([], again.changed)
        self.assertEqual(['restart one'], self.restarts())

    def test_fewer_weighers(self):
        """A list of weighers without some of Nova's stays as it is."""
        theirs = self.site / 'one/etc/nova/nova.conf'
        theirs.write_text(f'{theirs.read_text()}weight_classes = {RAM}\n')
        done = self.play('configure')
        self.assertIn('SpecifiedHostWeigher does not work', done.output)
        self.assertNotIn('weight_classes', self.read('one', FILE))
        done = self.play('configure', nova_ext_options={'filter_scheduler': {
            'weight_classes': f'{OUR_WEIGHERS},{RAM}',
        }})
        self.assertNotIn('SpecifiedHostWeigher does', done.output)
        self.assertIn(f'weight_classes = {OUR_WEIGHERS},{RAM}\n',
                      self.read('one', FILE))

    def test_secret_dropped(self):
        """No difference shows a secret, not even when it is taken away."""
        for options in (
            {'nova_ext_offers': {'secret': PASSED_ON}}, {},
        ):
            done = self.play(
                'configure', '--diff', nova_ext_secret_options=options
            )
            self.assertEqual(
                bool(options), PASSED_ON in self.read('one', FILE)
            )
            self.assertNotIn(
                PASSED_ON, done.output.replace(self.extra_variables, '')
            )
        # From now on there is nothing to hide.
        shown = self.play('configure', '--diff', nova_ext_options={
            'nova_ext_record': {'successes_in_full': True},
        })
        self.assertIn('successes_in_full', str(shown.differences))

    def test_block(self):
        """Where the service reads one file, our lines are a block in it."""
        host = self.site / 'one'
        before = self.read('one', 'etc/nova/nova.conf')
        (host / 'options').write_text(
            f'--config-file={host}/etc/nova/nova.conf'
        )
        done = self.play(
            'configure', '-vvv', '--diff',
            nova_ext_secret_options={'nova_ext': {
                'transport_url': f'rabbit://nova:{PASSED_ON}@bus/',
            }},
        )
        after = self.read('one', 'etc/nova/nova.conf')
        self.assertTrue(after.startswith(before), after)
        self.assertIn('# BEGIN nova-ext\n', after)
        self.assertIn(f'{PASSED_ON}@bus', after)
        mode = (host / 'etc/nova/nova.conf').stat().st_mode
        self.assertEqual(0o640, mode & 0o777)
        # Neither in words of a command nor in a difference.
        output = done.output.replace(self.extra_variables, '')
        self.assertNotIn(PASSED_ON, output)
        self.assertNotIn('sqlite://', output)
        run, _ = self.journal()
        self.play('rollback', run=run)
        self.assertEqual(before, self.read('one', 'etc/nova/nova.conf'))
        self.assertIsNone(self.read('one', UNIT.format('one')))
        self.assertEqual(['restart one'] * 2, self.restarts())


    def test_changed_since(self):
        """What somebody wrote after a run is not lost on the way back."""
        host = self.site / 'one'
        path = host / 'etc/nova/nova.conf'
        before = path.read_text()
        (host / 'options').write_text(f'--config-file={path}')
        self.play('configure')
        run, _ = self.journal()
        changed = f'{path.read_text()}[DEFAULT]\ndebug = true\n'
        path.write_text(changed)
        refused = self.play('rollback', status=2, run=run)
        self.assertIn(f'{path} was changed after run {run}', refused.output)
        self.assertIn('-e rollback_over_changes=true', refused.output)
        self.assertEqual(changed, path.read_text())
        self.assertIsNotNone(self.read('one', UNIT.format('one')))
        self.assertEqual(['restart one'], self.restarts())
        self.play('rollback', run=run, rollback_over_changes=True)
        self.assertEqual(before, path.read_text())
        self.assertEqual(changed, self.read(
            'one', f'state/runs/{run}/nova.conf.replaced'
        ))

    def test_runs(self):
        """Of two runs the last one goes back first."""
        before = self.read('one', FILE)
        self.play('configure')
        first, _ = self.journal()
        between = self.read('one', FILE)
        self.play('configure', nova_ext_filters=[])
        second, _ = self.journal()
        self.play('rollback', status=2, run=first)
        self.play('rollback', run=second)
        self.assertEqual(between, self.read('one', FILE))
        self.play('rollback', run=first)
        self.assertEqual(before, self.read('one', FILE))


class RefusalTest(base.PlaybookTestCase):
    """Refuse before any restart."""

    def assert_untouched(self, result):
        """Check that nothing was written, and nothing restarted."""
        self.assertIsNone(self.read('one', FILE))
        self.assertIsNone(self.read('one', UNIT.format('one')))
        self.assertEqual([], self.restarts())
        self.assertEqual([], result.changed)

    def test_lint(self):
        """A configuration with which the scheduler would not start."""
        refused = self.play(
            'configure', status=2, nova_ext_filters=['SpecifedHostFilter']
        )
        self.assertIn('NX101: there is no filter SpecifedHostFilter',
                      refused.output)
        self.assert_untouched(refused)

    def test_stop_time(self):
        """Our own option, with which systemd would kill a scheduler."""
        refused = self.play('configure', status=2, nova_ext_options={
            'DEFAULT': {'manager_shutdown_timeout': 300},
            'oslo_messaging_rabbit': {'use_queue_manager': True},
        })
        self.assertIn('manager_shutdown_timeout is 300 s', refused.output)
        self.assertIn('stopped now: a request', refused.output)
        self.assertNotIn('can be lost. nova_ext', refused.output)
        self.assert_untouched(refused)

    def test_no_list(self):
        """A word in place of a list of filters."""
        refused = self.play(
            'configure', status=2, nova_ext_filters='SpecifiedHostFilter'
        )
        self.assertIn('nova_ext_filters is no list', refused.output)
        self.assert_untouched(refused)

    def test_marks(self):
        """A host whose nova.conf belongs to a deployment tool."""
        mark = self.site / 'one/etc/kolla'
        mark.mkdir()
        refused = self.play('configure', status=2, nova_ext_marks=[
            {'path': str(self.site / 'absent'), 'tool': 'x', 'way': 'y'},
            {'path': str(mark), 'tool': 'kolla-ansible',
             'way': 'run kolla-ansible'},
        ])
        self.assertIn('Instead run kolla-ansible', refused.output)
        self.assert_untouched(refused)

    def test_other_options(self):
        """What was written while the unit named other files is not missed."""
        host = self.site / 'one'
        path, options = host / 'etc/nova/nova.conf', host / 'options'
        both = options.read_text()
        options.write_text(f'--config-file={path}')
        self.play('configure')
        written = path.read_text()
        options.write_text(both)
        for playbook in ('configure', 'uninstall'):
            refused = self.play(playbook, status=2)
            self.assertIn(f'{path} holds what an earlier run wrote',
                          refused.output)
            self.assertEqual([], refused.changed)
        self.assertEqual(written, path.read_text())
        self.assertTrue((self.environment / 'bin/nova-ext').exists())
        # And the other way round.
        path.write_text(written.partition('# BEGIN')[0])
        self.play('configure')
        options.write_text(f'--config-dir={host}/etc/nova/conf.d '
                           f'--config-file={path}')
        refused = self.play('uninstall', status=2)
        self.assertIn(f'{host}/{FILE} holds what', refused.output)

    def test_no_package(self):
        """Our lines, and no package by which to take them out."""
        self.play('configure')
        program = self.site / 'one/bin/nova-ext'
        program.unlink()
        refused = self.play('uninstall', status=2)
        self.assertIn('run install.yml first', refused.output)
        for path in (FILE, UNIT.format('one')):
            self.assertIn(str(self.site / 'one' / path), refused.output)
            self.assertIsNotNone(self.read('one', path))
        self.assertEqual([], refused.changed)

    def test_own_lines_elsewhere(self):
        """A later file, which would win."""
        later = self.site / 'one/etc/nova/conf.d/zzz.conf'
        later.write_text('[filter_scheduler]\nenabled_filters = ComputeFilter')
        refused = self.play('configure', status=2)
        self.assertIn('zzz.conf is read after', refused.output)
        self.assert_untouched(refused)
