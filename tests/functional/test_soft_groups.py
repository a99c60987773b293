"""Server groups with a soft policy, with the weighers that the guide names."""

from nova_ext.lab.configuration import nova_config
from tests.functional import base


class SoftGroupsTest(base.CloudTestCase):
    """In our scheduler."""

    weight_classes = tuple(nova_config.WEIGHT_CLASSES.split(','))

    def configure(self):
        """Weigh groups above all else."""
        for option in ('soft_affinity', 'soft_anti_affinity'):
            self.flags(
                group='filter_scheduler',
                **{f'{option}_weight_multiplier': 100.0},
            )

    def hosts_of_group(self, policy):
        """Hosts of three servers of a group."""
        group = self.api.post_server_groups({'name': policy, 'policy': policy})
        return {
            self.host_of(self.boot({'group': group['id']})) for _ in range(3)
        }

    def test_policies(self):
        """Servers are placed, apart or together."""
        self.assertEqual(
            set(self.hosts), self.hosts_of_group('soft-anti-affinity')
        )
        self.assertEqual(1, len(self.hosts_of_group('soft-affinity')))


class StockSoftGroupsTest(SoftGroupsTest):
    """In a stock nova-scheduler."""

    manager = None
