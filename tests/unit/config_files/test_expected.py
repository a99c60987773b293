"""What deployers' files are to set, in the forms that they are published in.

The values of sapcc/helm-charts (openstack/nova/values.yaml) and of
openstack-helm (nova/values.yaml) are excerpts; both are under the Apache
License 2.0.
"""

import pathlib

import fixtures
import testtools

from nova_ext.config_files import expected
from nova_ext.core.base.errors import NovaExtError

SAPCC = '''\
pod:
  replicas:
    scheduler: 1
scheduler:
  driver: "filter_scheduler"
  workers: 1
  track_instance_changes: false
  rpc_statsd_port: 9125
  default_filters: "ShardFilter, ComputeFilter, ServerGroupAffinityFilter"
  ram_weight_multiplier: 1.0
  disk_weight_multiplier: 0.0
  sapphire_rapids_weight_multiplier: 100.0
  config:
    scheduler:
      enable_external_customer_exclusive_filter: true
'''
OPENSTACK_HELM = '''\
conf:
  nova_ironic:
    DEFAULT:
      compute_driver: ironic.IronicDriver
  nova:
    DEFAULT:
      ram_allocation_ratio: 1.0
      osapi_compute_listen_port: null
    filter_scheduler:
      enabled_filters: ComputeFilter,SameHostFilter
      available_filters:
        type: multistring
        values:
          - nova.scheduler.filters.all_filters
          - gpu.GpuFilter
pod:
  replicas: 3
'''


class ExpectedTest(testtools.TestCase):
    """Read each form."""

    def setUp(self):
        """Make a folder."""
        super().setUp()
        self.folder = pathlib.Path(self.useFixture(fixtures.TempDir()).path)

    def read(self, *files):
        """Write files, and read all of them."""
        paths = []
        for name, text in files:
            paths.append(str(self.folder / name))
            pathlib.Path(paths[-1]).write_text(text)
        return {
            f'{group}.{option}': f'{value.text} {value.location.line}'
            for (group, option), value in expected.read(paths).items()
        }

    def test_sections(self):
        """A mapping of sections; what is deeper is none of nova.conf's."""
        values = self.read(('values.yaml', SAPCC))
        self.assertEqual('100.0 12',
                         values['scheduler.sapphire_rapids_weight_multiplier'])
        self.assertEqual('false 7', values['scheduler.track_instance_changes'])
        self.assertNotIn('scheduler.config', values)
        self.assertNotIn('pod.replicas', values)

    def test_helm(self):
        """Of a chart only nova.conf counts; null is no value."""
        self.assertEqual({
            'DEFAULT.ram_allocation_ratio': '1.0 7',
            'filter_scheduler.enabled_filters':
                'ComputeFilter,SameHostFilter 10',
            'filter_scheduler.available_filters':
                'nova.scheduler.filters.all_filters,gpu.GpuFilter 12',
        }, self.read(('values.yaml', OPENSTACK_HELM)))

    def test_others(self):
        """OpenStack-Ansible's variables, and a file of kolla's overrides."""
        self.assertEqual({'filter_scheduler.cpu_weight_multiplier': '2 3'},
                         self.read(('user_nova.yml', (
                             'nova_nova_conf_overrides:\n'
                             '  filter_scheduler:\n'
                             '    cpu_weight_multiplier: 2\n'
                         ))))
        self.assertEqual({'filter_scheduler.cpu_weight_multiplier': '3 2'},
                         self.read(('nova.conf', (
                             '[filter_scheduler]\ncpu_weight_multiplier = 3\n'
                         ))))

    def test_later_wins(self):
        """Of several files the last one counts."""
        self.assertEqual({'scheduler.workers': '2 1'}, self.read(
            ('a.yaml', 'scheduler: {workers: 1}\n'),
            ('b.yaml', 'scheduler: {workers: 2}\n'),
        ))

    def test_wrong(self):
        """What can't be read is named with its line."""
        error = self.assertRaises(NovaExtError, self.read, ('a.yaml', 'a: ['))
        self.assertIn('a.yaml:1: no YAML: ', str(error))
        self.assertRaises(NovaExtError, expected.read, ['/none.conf'])

    def test_no_option(self):
        """A file that sets nothing is a mistake."""
        for name, text in (
            ('a.yaml', ''), ('a.yaml', '- a\n- b\n'), ('a.yaml', 'a: 1\n'),
            ('a.conf', '# nothing\n'),
        ):
            error = self.assertRaises(NovaExtError, self.read, (name, text))
            self.assertIn(f'{name}: sets no option', str(error))
