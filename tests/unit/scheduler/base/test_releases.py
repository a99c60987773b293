"""Test the check of Nova's release."""

import logging

import fixtures
from nova.scheduler import manager as nova_manager

from nova_ext.scheduler import filters, weights
from nova_ext.scheduler.base import missing_names, releases
from nova_ext.scheduler.discovery import validation
from tests.unit.scheduler import configured


class ReleaseTest(configured.ConfiguredTestCase):
    """Test the installed Nova, and others."""

    def other_version(self, version):
        """Pretend that another version of Nova is installed."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.base.releases.metadata.version',
            lambda name: version,
        ))

    def test_installed(self):
        """Find nothing missing in the installed Nova."""
        self.assertEqual('', releases.describe_untested_release())
        self.assertEqual([], missing_names.find_missing())

    def test_unlisted(self):
        """Name older, newer and skipped releases."""
        for version in ('30.2.1', '32.0.0', '35.0.0.0rc1'):
            self.other_version(version)
            self.assertIn(f'not tested with Nova {version}, but with 31 '
                          '(2025.1)', releases.describe_untested_release())

    def test_warned(self):
        """Warn once a process, whichever entry point loads first."""
        self.other_version('35.0.0')
        entry_points = [
            filters.all_filters, weights.all_weighers, validation.validate,
        ]
        for load_first in entry_points:
            log = self.useFixture(
                fixtures.FakeLogger(level=logging.WARNING)
            )
            releases.warn_if_untested.cache_clear()
            self.addCleanup(releases.warn_if_untested.cache_clear)
            load_first()
            self.assertEqual(1, log.output.count('not tested with Nova 35'))
            for load in entry_points:
                load()
            self.assertEqual(1, log.output.count('not tested with Nova 35'))

    def test_lost(self):
        """Name what Nova lacks, and the parameters that it does not take."""
        manager = 'nova.scheduler.manager.SchedulerManager'
        self.assertEqual(
            [f'{manager}._get_sorted_hosts takes no a, b',
             f'{manager}.select_destinations takes no c',
             f'{manager}.target is no function',
             f'{manager}.no_such is gone',
             'nova.no_such is gone',
             'nova.rpc.NoSuch is gone'],
            missing_names.find_missing({
                manager:
                    '_get_sorted_hosts(index a b) '
                    'select_destinations(spec_obj c) placement_client '
                    'target(d) no_such host_manager host',
                'nova.no_such': 'function another',
                'nova.rpc.NoSuch': '',
            }),
        )

    def test_set_in_init(self):
        """Know what Nova's classes set on their objects, and which sets it."""
        for name, definer in (
            ('host', 'Manager'), ('host_manager', 'SchedulerManager'),
            ('_schedule', 'SchedulerManager'),
        ):
            self.assertEqual(definer, missing_names.find_definer(
                nova_manager.SchedulerManager, name
            ).__name__)
        self.assertIsNone(missing_names.find_definer(
            nova_manager.SchedulerManager, 'no_such'
        ))
