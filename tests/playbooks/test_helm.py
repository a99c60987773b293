"""Change the values of a chart, which helm renders."""

import os

import yaml

from tests.playbooks import base

OURS = 'nova_ext.scheduler.filters.all_filters'
#: What Nova enables where nothing is written, as in openstack-helm's chart.
NOVAS = (
    'ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,'
    'ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter'
)
SECRET = 'secret-of-theirs'  # noqa: S105  in the chart
FOR_OFFERS = 'staple'


class HelmTestCase(base.PlaybookTestCase):
    """Have a chart, and a file of values."""

    names = ()

    def setUp(self):
        """Name the chart, and a file of values."""
        super().setUp()
        self.theirs = self.site / 'theirs.yml'
        self.theirs.write_text('{}')
        self.ours = self.site / 'ours.yml'
        self.variables.update({
            'nova_ext_helm_chart': str(base.HERE / 'chart'),
            'nova_ext_helm_others': [str(self.theirs)],
            'nova_ext_helm_values': str(self.ours),
            'nova_ext_control_python': str(self.environment / 'bin/python'),
        })

    def make_inventory(self):
        """Name the machine that helm is called on."""
        return {'nova_ext_helm': {
            'hosts': {'localhost': {}}, 'vars': self.variables,
        }}

    def options(self):
        """Return what our values say of the scheduler."""
        values = yaml.safe_load(self.ours.read_text())
        return values['conf']['nova']['filter_scheduler']


class HelmTest(HelmTestCase):
    """Write a file of values, behind those that are there."""

    def test_ways(self):
        """Check, write, change nothing again, go back, and take it out."""
        self.play('configure', '--check')
        self.assertFalse(self.ours.exists())
        done = self.play(
            'configure', '-vvv', '--diff', nova_ext_helm_image='nova:ours'
        )
        self.assertNotIn(SECRET, done.output)
        self.assertIn(f'--values={self.theirs} --values={self.ours}',
                      done.output)
        self.assertNotIn('killed after', done.output)
        self.assertNotIn('SpecifiedHostWeigher does', done.output)
        self.assertIn('This site has one scheduler', done.output)
        self.assertIn('use_queue_manager is off', done.output)
        self.assertEqual(
            {'type': 'multistring', 'values': [OURS]},
            self.options()['available_filters'],
        )
        self.assertEqual('ComputeFilter,SameHostFilter,SpecifiedHostFilter',
                         self.options()['enabled_filters'])
        tags = yaml.safe_load(self.ours.read_text())['images']['tags']
        self.assertEqual(
            {'nova_scheduler': 'nova:ours', 'nova_api': 'nova:ours'}, tags
        )
        run = max(
            file.name for file in (self.site / 'journal').iterdir()
        ).partition('.')[0]
        self.assertEqual([], self.play(
            'configure', nova_ext_helm_image='nova:ours'
        ).changed)
        changed = f'{self.ours.read_text()}by_hand: true\n'
        self.ours.write_text(changed)
        refused = self.play('rollback', run=run, status=2)
        self.assertIn(f'{self.ours} was changed after', refused.output)
        self.play('rollback', run=run, rollback_over_changes=True)
        self.assertEqual('', self.ours.read_text())
        kept, = (self.site / 'journal').glob('*.replaced')
        self.assertEqual(changed, kept.read_text())
        self.play('configure')
        self.play('uninstall')
        self.assertEqual('', self.ours.read_text())

    def test_others(self):
        """What other values say stays; a short grace is told."""
        self.theirs.write_text(yaml.safe_dump({
            'grace_s': 30, 'conf': {'nova': {'filter_scheduler': {
                'available_filters': {'type': 'multistring', 'values': [
                    'nova.scheduler.filters.all_filters',
                ]},
                'enabled_filters': 'ComputeFilter,JsonFilter',
                'weight_classes': 'nova.scheduler.weights.ram.RAMWeigher',
            }}},
        }))
        done = self.play('configure', nova_ext_options={
            'nova_ext_record': {'successes_in_full': True},
        })
        self.assertIn('takes up to 160 s', done.output)
        self.assertIn('killed after 30 s', done.output)
        self.assertIn('SpecifiedHostWeigher does not work', done.output)
        self.assertNotIn('weight_classes', self.options())
        self.assertEqual(
            ['nova.scheduler.filters.all_filters', OURS],
            self.options()['available_filters']['values'],
        )
        self.assertEqual('ComputeFilter,JsonFilter,SpecifiedHostFilter',
                         self.options()['enabled_filters'])
        self.assertIn('successes_in_full: "True"', self.ours.read_text())

    def test_offers(self):
        """OfferFilter comes after the secret, which is in our own file."""
        secret = {'nova_ext_secret_options': {
            'nova_ext_offers': {'secret': FOR_OFFERS},
        }}
        offers = {'nova_ext_filters': ['OfferFilter'], **secret}
        refused = self.play('configure', status=2, **offers)
        self.assertIn('OfferFilter needs the same', refused.output)
        self.play('configure', nova_ext_filters=[], **secret)
        self.play('configure', **offers)
        self.assertIn(',OfferFilter', self.options()['enabled_filters'])

    def test_refusals(self):
        """A filter that nobody has, unreadable values, and no helm."""
        refused = self.play(
            'configure', status=2, nova_ext_filters=['SpecifedHostFilter']
        )
        self.assertIn('NX101: there is no filter', refused.output)
        self.theirs.write_text('conf: [')
        refused = self.play('configure', status=2)
        self.assertIn(f'failed to parse {self.theirs}', refused.output)
        refused = self.play(
            'configure', status=2, nova_ext_helm_program='no-such-helm'
        )
        self.assertIn("no-such-helm can't render", refused.output)
        self.assertIn('is it installed', refused.output)
        self.assertFalse(self.ours.exists())


class ChartTest(HelmTestCase):
    """Take openstack-helm's own chart, which no package index has.

    NOVA_EXT_HELM_CHART is its folder nova, after ``helm dependency update``.
    """

    def test_rendered(self):
        """The filters are the chart's and ours; a second run changes none."""
        if 'NOVA_EXT_HELM_CHART' not in os.environ:
            self.skipTest('NOVA_EXT_HELM_CHART names no folder')
        self.variables['nova_ext_helm_chart'] = (
            os.environ['NOVA_EXT_HELM_CHART']
        )
        # It ends with an error where lint has one.
        self.play('configure')
        self.assertEqual(
            f'{NOVAS},SpecifiedHostFilter', self.options()['enabled_filters']
        )
        self.assertEqual([], self.play('configure').changed)
