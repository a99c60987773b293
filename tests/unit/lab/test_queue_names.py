"""Names of queues, and what oslo.messaging keeps to count them."""

from unittest import mock

from nova_ext.lab import queue_names
from tests.unit.lab import base


class QueueNamesTest(base.LabTestCase):
    """Each lab has its own."""

    def test_forget(self):
        """Another lab's counters stay."""
        mine, _ = self.new_lab('mine')
        other, _ = self.new_lab('other')
        folder = self.folder / 'counters'
        folder.mkdir()
        for lab in (mine, other):
            host = queue_names.options(lab)['hostname']
            for service in ('compute', 'scheduler-1'):
                (folder / f'{host}_{service}_qmanager').touch()
        with mock.patch.object(queue_names, '_COUNTERS', folder):
            queue_names.forget(mine)
        host = queue_names.options(other)['hostname']
        self.assertEqual(
            [f'{host}_compute_qmanager', f'{host}_scheduler-1_qmanager'],
            sorted(path.name for path in folder.iterdir()),
        )

    def test_services(self):
        """Two schedulers of one program differ."""
        self.assertNotEqual(
            queue_names.environment('scheduler-1'),
            queue_names.environment('scheduler-2'),
        )
