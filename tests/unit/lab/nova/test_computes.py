"""Nova's configuration is there before Nova's computes read it."""

import subprocess
import sys

import testtools

LOADED = '''
import sys
import nova_ext.lab.nova.nova_api
import nova_ext.lab.nova.nova_services
print('nova.compute.manager' in sys.modules)
'''


class ComputesTest(testtools.TestCase):
    """Nova reads the intervals of its tasks when their module is loaded."""

    def test_late(self):
        """What a lab loads before its configuration is read has no tasks."""
        done = subprocess.run(
            [sys.executable, '-W', 'ignore', '-c', LOADED],
            capture_output=True, text=True, check=True,
        )
        self.assertEqual('False\n', done.stdout)
