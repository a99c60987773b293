"""Let services fail while servers are booted."""

import contextlib
import http.server
import threading
import time

from tests.faults import base


class Unavailable(http.server.BaseHTTPRequestHandler):
    """Serve as a proxy whose service is gone."""

    def answer(self):
        """Answer every request with 503."""
        self.rfile.read(int(self.headers.get('Content-Length', 0)))
        self.send_response(503)
        self.send_header('Content-Length', '0')
        self.end_headers()

    do_GET = do_PUT = do_POST = do_DELETE = answer  # noqa: N815  http.server's

    def log_message(self, *words):
        """Log nothing."""


class ServicesTest(base.FaultTestCase):
    """Fail as Nova itself does, and in no other way."""

    def test_broker_restart(self):
        """Services come back; what was on its way may be lost, with a word."""
        active, failed, stuck = self.outcomes(
            self.boot_during(lambda: self.lab('restart', 'rabbit'))
        )
        self.assertGreater(len(active), base.BOOTS // 2)
        self.assertEqual([], stuck)
        for server in failed:
            self.assertTrue(server['fault']['message'])

    def test_placement_unavailable(self):
        """Requests of these ten seconds fail and say so, or are Nova's bug.

        A compute whose build fails asks placement to free what it had; if
        that fails too, Nova leaves the server in BUILD, without a task, and
        so it does with its own scheduler.
        """
        def fault():
            port = self.state().ports['placement']
            for process in self.tree('placement'):
                process.kill()
            with self.unavailable(port):
                time.sleep(10)  # the fault's own length
            self.lab('restart', 'placement')

        active, failed, stuck = self.outcomes(self.boot_during(fault))
        self.assertGreater(len(active), 0)
        for server in failed:
            self.assertTrue(server['fault']['message'])
        self.assertEqual(
            {None}, {one['OS-EXT-STS:task_state'] for one in stuck} | {None}
        )

    @contextlib.contextmanager
    def unavailable(self, port):
        """Answer 503 on a port."""
        http.server.ThreadingHTTPServer.allow_reuse_address = True
        deadline = time.monotonic() + 30
        while True:
            try:
                server = http.server.ThreadingHTTPServer(
                    ('127.0.0.1', port), Unavailable
                )
                break
            except OSError:
                self.assertLess(time.monotonic(), deadline)
                time.sleep(0.05)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()
            server.server_close()
