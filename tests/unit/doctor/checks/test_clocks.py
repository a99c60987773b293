"""Test the check of clocks."""

from unittest import mock

from nova_ext.core.base.finding import Severity
from nova_ext.doctor.checks import clocks
from tests.unit.doctor import fake_cloud


class ClocksTest(fake_cloud.CheckTestCase):
    """Compare dates of the APIs and heartbeats."""

    module = clocks

    def watch(self, *heartbeats):
        """Look while services report themselves.

        :param heartbeats: (host, seconds its clock is ahead).
        """
        def sleep(seconds):
            self.cloud.now += seconds
            for host, ahead in heartbeats:
                self.cloud.service(host)['updated_at'] = fake_cloud.stamp(
                    self.cloud.now - 1 + ahead
                )

        with mock.patch('time.sleep', sleep):
            return self.look(watch_s=20)

    def test_agreeing(self):
        """Find nothing; take no old heartbeat for a clock that is behind."""
        self.cloud.service('cmp-0')['updated_at'] = fake_cloud.stamp(
            self.cloud.now - 1000
        )
        self.cloud.service('cmp-1')['updated_at'] = None
        self.assert_found(self.look())
        self.assertIn('--watch 15', self.unchecked[0].needs)

    def test_apis(self):
        """Name the two clocks that are furthest apart."""
        self.cloud.ahead = {'identity': 60, 'compute': 0, 'placement': -30}
        self.assert_found(
            self.look(), clock_apis='identity is ahead of that of placement '
            'by 89 s',
        )

    def test_tolerance(self):
        """Allow for the whole seconds of a Date header."""
        self.cloud.now += 0.99
        self.cloud.ahead = {'identity': 3, 'compute': 0, 'placement': 0}
        self.assert_found(self.look())

    def test_here(self):
        """Note that only our clock is wrong."""
        self.cloud.services.clear()
        for ahead, word in ((120, 'behind'), (-120, 'ahead')):
            self.cloud.ahead = dict.fromkeys(self.cloud.ahead, ahead)
            found = self.look()
            self.assert_found(found, clock_here=f'clock is {word} by 1')
            self.assertEqual(Severity.INFO, found['clock-here'].severity)

    def test_ahead(self):
        """Find heartbeats ahead of nova-api's clock, the furthest first."""
        self.cloud.ahead = dict.fromkeys(self.cloud.ahead, 500)
        for host, ahead in (('cmp-0', 510), ('cmp-1', 600), ('ctl', 490)):
            self.cloud.service(host)['updated_at'] = fake_cloud.stamp(
                self.cloud.now + ahead
            )
        self.assert_found(
            self.look(), clock_here='',
            clock_ahead='up to 99 s ahead of nova-api\'s clock: nova-compute '
            'on cmp-1, nova-compute on cmp-0',
        )

    def test_behind(self):
        """Find a new heartbeat that is older than the start."""
        self.cloud.service('cmp-2')['updated_at'] = fake_cloud.stamp(
            self.cloud.now - 50
        )
        self.assert_found(
            self.watch(('cmp-0', -90), ('cmp-1', 0)),
            clock_behind='nova-compute on cmp-0',
        )
        self.assertEqual([], self.unchecked)

    def test_no_date(self):
        """Compare nothing with an API that sends no date."""
        with mock.patch.object(fake_cloud, 'date', lambda seconds: 'soon'):
            self.assert_found(self.look())
        self.assertIn('Date header', self.unchecked[0].needs)
