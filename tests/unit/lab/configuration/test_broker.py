"""Test the broker as its clients see it, without one."""

from unittest import mock

from nova_ext.lab.configuration import broker
from tests.unit.lab import base


class QueueNamesTest(base.LabTestCase):
    """Name the queues of each lab differently."""

    def test_forget(self):
        """Keep the counters of another lab."""
        mine, _ = self.new_lab('mine')
        other, _ = self.new_lab('other')
        folder = self.folder / 'counters'
        folder.mkdir()
        for lab in (mine, other):
            host = self.host(lab)
            for service in ('compute', 'scheduler-1'):
                (folder / f'{host}_{service}_qmanager').touch()
        with mock.patch.object(broker, '_COUNTERS', folder):
            broker.delete_queue_counters(mine)
        host = self.host(other)
        self.assertEqual(
            [f'{host}_compute_qmanager', f'{host}_scheduler-1_qmanager'],
            sorted(path.name for path in folder.iterdir()),
        )

    def host(self, lab):
        """Return the host name under which a lab's queues are counted."""
        options = broker.queue_options(lab, 'compute', {})
        return options['OS_OSLO_MESSAGING_RABBIT__HOSTNAME']

    def test_services(self):
        """Name the queues of two schedulers differently."""
        lab, _ = self.new_lab('mine')
        self.assertNotEqual(
            broker.queue_options(lab, 'scheduler-1', {}),
            broker.queue_options(lab, 'scheduler-2', {}),
        )

    def test_setting(self):
        """Leave an option to the user who has set it."""
        lab, _ = self.new_lab('mine')
        name = 'oslo_messaging_rabbit.use_queue_manager'
        variable = 'OS_OSLO_MESSAGING_RABBIT__USE_QUEUE_MANAGER'
        self.assertIn(variable, broker.queue_options(lab, 'compute', {}))
        self.assertNotIn(
            variable, broker.queue_options(lab, 'compute', {name: ['false']})
        )


class BrokerTest(base.LabTestCase):
    """Look for a broker that does not run."""

    def test_nobody_listens(self):
        """Find no broker and no consumer."""
        _, state = self.new_lab(broker='rabbit')
        state.ports['rabbit'] = 1
        self.assertFalse(broker.is_serving(state))
        self.assertEqual(0, broker.count_consumers(state, 'conductor.lab'))
