"""Tests of what is asked of Nova."""

import logging

import fixtures

from nova_ext.scheduler import filters, weights
from nova_ext.scheduler.base import releases
from nova_ext.scheduler.discovery import enabled
from tests.unit.scheduler import configured


class ReleaseTest(configured.ConfiguredTestCase):
    """Nova as it is installed here, and as it might become."""

    def other_version(self, version):
        """Have another Nova than the one that is installed."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.base.releases.metadata.version',
            lambda name: version,
        ))

    def test_installed(self):
        """Nova here is listed and has all that is needed."""
        self.assertEqual('', releases.unlisted())
        self.assertEqual([], releases.lost())

    def test_unlisted(self):
        """Older, newer and skipped releases are named, once a process."""
        for version in ('30.2.1', '32.0.0', '35.0.0.0rc1'):
            self.other_version(version)
            self.assertIn(f'not tested with Nova {version}, but with 31 '
                          '(2025.1)', releases.unlisted())

    def test_warned(self):
        """Once a process, by each door that a scheduler may load first."""
        self.other_version('35.0.0')
        doors = [filters.all_filters, weights.all_weighers, enabled.validate]
        for first in doors:
            said = self.useFixture(
                fixtures.FakeLogger(level=logging.WARNING)
            )
            releases.warn.cache_clear()
            self.addCleanup(releases.warn.cache_clear)
            first()
            self.assertEqual(1, said.output.count('not tested with Nova 35'))
            for door in doors:
                door()
            self.assertEqual(1, said.output.count('not tested with Nova 35'))

    def test_lost(self):
        """What Nova does not have is named, with what it does not take."""
        manager = 'nova.scheduler.manager.SchedulerManager'
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.scheduler.base.releases.SEAMS', {
                f'{manager}._get_sorted_hosts': ('index', 'a', 'b'),
                f'{manager}.select_destinations': ('spec_obj', 'c'),
                f'{manager}.placement_client': (),
                f'{manager}.target': ('d',),
                f'{manager}.no_such': (),
                'nova.no_such.function': (),
            },
        ))
        self.assertEqual(
            [f'{manager}._get_sorted_hosts takes no a, b',
             f'{manager}.select_destinations takes no c',
             f'{manager}.target is no function',
             f'{manager}.no_such is gone',
             'nova.no_such.function is gone'], releases.lost(),
        )
