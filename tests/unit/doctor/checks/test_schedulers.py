"""Test the check of schedulers."""

import pathlib

import fixtures

from nova_ext.doctor.checks import schedulers
from nova_ext.doctor.configuration import Configuration
from nova_ext.record import shortening
from tests.unit.doctor import fake_cloud
from tests.unit.record import samples

OURS = '''
[DEFAULT]
transport_url = rabbit://nova:hidden@a
service_down_time = 60
[filter_scheduler]
enabled_filters = ComputeFilter,AggregateFilter
[scheduler]
workers = 2
[nova_ext_record]
file = a
'''


class SchedulersTest(fake_cloud.CheckTestCase):
    """Compare files with files, and records with records."""

    module = schedulers

    def setUp(self):
        """Create a folder for files."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)

    def compare(self, ours, theirs):
        """Look at two schedulers' files."""
        first, second = self.folder / 'a.conf', self.folder / 'b.conf'
        first.write_text(ours)
        second.write_text(theirs)
        return self.look(Configuration([first], [second]))

    def test_alike(self):
        """Ignore blanks, and options of the host alone."""
        self.assert_found(self.compare(
            OURS, OURS.replace('rabbit', 'other').replace('= 2', '= 9')
            .replace(',Agg', ' , Agg').replace('file = a', 'file = b'),
        ))

    def test_different(self):
        """Show each option with both values."""
        found = self.compare(
            OURS, OURS.replace('60', '90').replace('ComputeFilter,', '')
            + '[nova_ext]\nscheduler_driver = x\n',
        )
        self.assert_found(found, schedulers_differ='3 options unlike')
        where = found['schedulers-differ'].where
        self.assertIn(
            '[filter_scheduler] enabled_filters: ComputeFilter,'
            'AggregateFilter here, AggregateFilter there', where,
        )
        self.assertIn('[DEFAULT] service_down_time: 60 here, 90', where)
        self.assertIn('scheduler_driver: not set here, x there', where)

    def test_secrets(self):
        """Show no secret, wherever it stands."""
        found = self.compare(
            OURS + '[nova_ext_zone]\npassword = hidden\n',
            OURS + '[nova_ext_zone]\npassword = covered\n',
        )
        where = found['schedulers-differ'].where
        self.assertIn('[nova_ext_zone] password', where)
        self.assertNotIn('hidden', where)
        self.assertNotIn('covered', where)

    def test_unseen(self):
        """Say that files of other schedulers are missing."""
        self.compare(OURS, OURS)
        self.assertEqual([], self.unchecked)
        self.cloud.services += [
            fake_cloud.service('nova-scheduler', f'ctl-{number}', 0)
            for number in (2, 3)
        ]
        self.compare(OURS, OURS)
        self.assertIn('1 of 3 schedulers', self.unchecked[0].what)

    def records(self, *makers):
        """Return a record of each scheduler."""
        paths = []
        for number, by in enumerate(makers):
            path = self.folder / f'{number}.jsonl'
            path.write_bytes(shortening.to_line(samples.failure(by=by), 65536))
            paths.append(path)
        return self.look(Configuration(records=paths))

    def test_versions(self):
        """Compare the versions that made the decisions."""
        one = {
            'host': 'a', 'mode': 'scheduler', 'driver': 'D', 'nova': '34.0.0',
        }
        self.assert_found(self.records(one, {**one, 'host': 'b'}))
        self.assert_found(
            self.records(one, {**one, 'host': 'b', 'nova': '33.0.0'}),
            versions_differ='b: scheduler mode, D, nova 33.0.0',
        )
