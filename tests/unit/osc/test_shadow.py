"""Run openstack scheduler shadow report."""

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.transition import LOST
from nova_ext.osc import shadow
from tests.unit.api.handlers.test_shadow_reports import store
from tests.unit.osc import base


class ShadowTest(base.CommandTestCase):
    """Shadows on two hosts."""

    def test_report(self):
        """Show sentences, hosts and notes of each shadow."""
        store(self, 'ctl-1', end='it was stopped')
        store(self, 'ctl-2', 10_000, skipped=[{
            'plugin': 'filter Bad', 'why': 'took more than 5 s', 'count': 4,
            'examples': ['req-9'],
        }], transitions={'placed_none': 3})
        text = self.run_command(shadow.ShowShadowReports)
        self.assertEqual(LOST, self.status)
        for words in (
            'ctl-1: Under the journal\'s own configuration 0 of 2 exact',
            'ctl-1: Over 2 requests since 2026-01-31 07:55:12 UTC '
            'host_subset_size=2 would have turned 0 into NoValidHost and '
            'moved 1\n',
            'turned 3 into NoValidHost and moved 0; 4 more were skipped',
            '75% of processors',
            'ctl-1: 1 host → other host: the draw, such as req-1',
            'ctl-2: 4 skipped: filter Bad took more than 5 s, such as req-9',
            ': its process or nova-ext-shipper on ctl-2 has died\n',
            ': it was stopped\n',
        ):
            self.assertIn(words, text)
        # The fullest first.
        self.assertLess(text.index('cmp-2'), text.index('cmp-1'))
        text = self.run_command(shadow.ShowShadowReports, 'ctl-1')
        self.assertEqual(0, self.status)
        self.assertNotIn('ctl-2', text)

    def test_formats(self):
        """JSON has all; CSV has the rows."""
        store(self, 'ctl-1')
        report, = self.json_of(shadow.ShowShadowReports)['shadow_reports']
        self.assertEqual(
            ('ctl-1', 'follows', 2),
            (report['host'], report['state'], report['requests']),
        )
        lines = self.run_command(
            shadow.ShowShadowReports, '-f', 'csv', '--quote', 'none'
        ).splitlines()
        self.assertEqual(
            'ctl-1,cmp-2,75% of processors,0,0,1,req-1', lines[1]
        )

    def test_several(self):
        """Two shadows of a host are told apart by their files."""
        store(self, 'ctl-1', file='b.json')
        self.assertIn('ctl-1 b.json: Over 2', self.run_command(
            shadow.ShowShadowReports
        ))

    def test_none(self):
        """Say who writes reports, and who may not see them."""
        for words, whose in ((('ctl-9',), ' of host ctl-9'), ((), '')):
            error = self.assertRaises(
                NovaExtError, self.run_command, shadow.ShowShadowReports,
                *words,
            )
            self.assertIn(
                f'there is no shadow report{whose} in the database',
                str(error),
            )
        self.become('member')
        error = self.assertRaises(
            NovaExtError, self.run_command, shadow.ShowShadowReports
        )
        self.assertIn('nova_ext:shadow_reports:get', str(error))
