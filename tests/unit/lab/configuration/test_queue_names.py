"""Names of queues, and what oslo.messaging keeps to count them."""

from unittest import mock

from nova_ext.lab.configuration import queue_names
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
            host = self.host(lab)
            for service in ('compute', 'scheduler-1'):
                (folder / f'{host}_{service}_qmanager').touch()
        with mock.patch.object(queue_names, '_COUNTERS', folder):
            queue_names.forget(mine)
        host = self.host(other)
        self.assertEqual(
            [f'{host}_compute_qmanager', f'{host}_scheduler-1_qmanager'],
            sorted(path.name for path in folder.iterdir()),
        )

    def host(self, lab):
        """Whose queues oslo.messaging takes a lab's to be."""
        told = queue_names.environment(lab, 'compute')
        return told['OS_OSLO_MESSAGING_RABBIT__HOSTNAME']

    def test_services(self):
        """Two schedulers of one program differ."""
        lab, _ = self.new_lab('mine')
        self.assertNotEqual(
            queue_names.environment(lab, 'scheduler-1'),
            queue_names.environment(lab, 'scheduler-2'),
        )
