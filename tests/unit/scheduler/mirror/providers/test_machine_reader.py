"""Read placement in one process of a machine, over HTTP."""

import http.server
import json
import os
import signal
import threading
import time
import types
from pathlib import Path

import fixtures
import requests

from nova_ext.scheduler.mirror.providers import (
    machine_reader,
    provider_file,
)
from tests.unit import forked
from tests.unit.scheduler import configured
from tests.unit.scheduler.mirror.providers import test_provider_reader

#: Seconds after which a test fails that waits.
PATIENCE_S = 150


class ProcessesTest(configured.ConfiguredTestCase):
    """Start workers as processes, before a placement on loopback."""

    def setUp(self):
        """Serve two providers."""
        super().setUp()
        self.placement = test_provider_reader.Placement()
        for uuid in ('p1', 'p2'):
            self.placement.add(uuid)
        self.path = (
            Path(self.useFixture(fixtures.TempDir()).path) / 'c.db'
        )
        self.file = provider_file.ProviderFile(self.path)
        #: Process IDs of those that asked.
        self.readers = []
        self.url = self.serve()

    def test_one_reads(self):
        """One worker reads; once it is killed, another takes over at once."""
        workers = {}
        for _ in range(2):
            process = forked.context.Process(
                target=run_worker, args=(str(self.path), self.url),
                daemon=True,
            )
            process.start()
            workers[process.pid] = process
            self.addCleanup(process.join, PATIENCE_S)
            self.addCleanup(process.kill)
        self.wait_until(lambda: self.get_used() == {'p1': 0, 'p2': 0})
        (first,) = set(self.readers)

        # What another process wants is read, though no generation changed.
        self.placement.providers['p2']['used'] = 5
        with self.file.open() as file:
            file.want({'p2': time.monotonic()})
        self.wait_until(lambda: self.get_used() == {'p1': 0, 'p2': 5})
        self.assertEqual({first}, set(self.readers))

        os.kill(first, signal.SIGKILL)
        workers[first].join(PATIENCE_S)
        self.readers.clear()
        self.placement.providers['p1'].update(generation=2, used=3)
        self.wait_until(lambda: self.get_used() == {'p1': 3, 'p2': 5})
        (second,) = set(self.readers)
        self.assertIn(second, workers.keys() - {first})

    def test_ended(self):
        """A worker that ends lets another read."""
        one, other = (
            make_reader(self.path, self.url) for _ in range(2)
        )
        self.addCleanup(other.stop)
        self.addCleanup(one.stop)
        self.conf.config(group='nova_ext', mirror_refresh_s=1)
        one.start()
        self.wait_until(lambda: self.get_used() == {'p1': 0, 'p2': 0})
        other.start()
        one.stop()
        self.placement.providers['p1'].update(generation=2, used=3)
        self.wait_until(lambda: self.get_used() == {'p1': 3, 'p2': 0})
        self.assertTrue(other._lock.acquire())

    def serve(self):
        """Serve placement; return its URL."""
        test = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                test.readers.append(int(self.headers['X-Process']))
                answer = test.placement.get(self.path, '1.36')
                body = json.dumps(answer.json()).encode()
                self.send_response(answer.status_code)
                self.send_header('Content-Length', str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args):
                pass

        server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return f'http://127.0.0.1:{server.server_port}'

    def get_used(self):
        """Return what is used, by UUID."""
        with self.file.open() as file:
            return {
                provider.uuid: provider.used['VCPU']
                for _, provider in file.take('', 0).rows
            }

    def wait_until(self, is_so):
        """Wait until something is so."""
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)


def make_reader(path, url):
    """Return a reader that asks placement at a URL."""
    machine_reader.count_schedulers = lambda: 1
    headers = {'X-Process': str(os.getpid())}
    client = types.SimpleNamespace(get=lambda path, version: requests.get(
        url + path, headers=headers, timeout=PATIENCE_S
    ))
    return machine_reader.MachineReader(
        provider_file.ProviderFile(Path(path)), lambda: client, 1, dict
    )


def run_worker(path, url):
    """Read, if no other does, until this is killed."""
    machine_reader.options.CONF([], default_config_files=[])
    machine_reader.options.CONF.set_override(
        'mirror_refresh_s', 1, 'nova_ext'
    )
    make_reader(path, url).start()
    threading.Event().wait()
