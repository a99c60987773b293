"""What nova-compute tells of servers reaches Nova's code and the journal."""

from unittest import mock

import testtools

from nova_ext.scheduler.manager import SchedulerManager


class ToldServersTest(testtools.TestCase):
    """Three messages."""

    def test_told(self):
        """With a mirror, and without one."""
        manager = SchedulerManager.__new__(SchedulerManager)
        for mirror in (mock.Mock(), None):
            manager.host_manager, manager._mirror = mock.Mock(), mirror
            manager.update_instance_info('context', 'a', 'info')
            manager.delete_instance_info('context', 'b', 'uuid')
            manager.sync_instance_info('context', 'c', ['uuid'])
            novas = manager.host_manager
            novas.update_instance_info.assert_called_once_with(
                'context', 'a', 'info'
            )
            novas.delete_instance_info.assert_called_once_with(
                'context', 'b', 'uuid'
            )
            novas.sync_instance_info.assert_called_once_with(
                'context', 'c', ['uuid']
            )
            if mirror is not None:
                self.assertEqual(
                    [mock.call(host) for host in 'abc'],
                    mirror.note_servers.call_args_list,
                )
