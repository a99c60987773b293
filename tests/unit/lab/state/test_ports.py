"""Test listening sockets."""

import contextlib
import socket
import threading

import testtools

from nova_ext.lab.state import ports
from nova_ext.lab.state.errors import LabError


class PortsTest(testtools.TestCase):
    """Listen on free ports, the same again while they are free."""

    def listen(self, *arguments):
        """Return a listening socket and its port."""
        listener = ports.listen(*arguments)
        self.addCleanup(listener.close)
        return listener, listener.getsockname()[1]

    def test_loopback_only(self):
        """Listen to this machine alone."""
        listener, port = self.listen(None)
        self.assertEqual(('127.0.0.1', port), listener.getsockname())
        self.assertTrue(ports.is_open(port))

    def test_kept(self):
        """Use the same port again, as soon as it is closed."""
        listener, port = self.listen(None)
        with socket.create_connection((ports.ADDRESS, port)):
            listener.accept()[0].close()
        listener.close()
        self.assertEqual(port, self.listen(port)[1])

    def test_taken(self):
        """Choose another port, or refuse where the service can't move."""
        _, port = self.listen(None)
        self.assertNotEqual(port, self.listen(port)[1])
        error = self.assertRaises(
            LabError, ports.listen_again, 'mine', 'nova', port
        )
        self.assertIn(f'port {port} of nova was taken', str(error))
        self.assertIn(
            '"nova-ext lab down --name mine", then "nova-ext lab up --name '
            'mine"', str(error),
        )

    def test_ports_of_other_labs(self):
        """Leave them alone, even while they are free."""
        only = ports._RANGE[7]
        avoid = set(ports._RANGE) - {only}
        with contextlib.suppress(LabError):
            # Somebody may listen on that one; no other may be given.
            self.assertEqual(only, self.listen(None, avoid)[1])
        self.assertRaises(LabError, ports.listen, None, set(ports._RANGE))

    def test_wait_closed(self):
        """Return when the port is closed, not before."""
        listener, port = self.listen(None)
        closing = threading.Timer(0.2, listener.close)
        closing.start()
        self.addCleanup(closing.join)
        self.assertTrue(ports.wait_closed(port))
        self.assertFalse(ports.is_open(port))
