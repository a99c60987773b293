"""Run agents of two hosts, one of them loaded, and then none."""

import contextlib
import functools
import http.server
import subprocess
import threading

import psutil

from tests.lab import base

#: Seconds for which a stat is believed in this lab.
MAX_AGE_S = 30
MOST_MEMORY = 80 * 2**20
LOADS = {'one': 7.5, 'two': 0.5}


class Page(http.server.BaseHTTPRequestHandler):
    """Serve the node_exporter of a host with a load."""

    def __init__(self, load, *args):
        self.load = load
        super().__init__(*args)

    def do_GET(self):
        """Return the part of the page that agents read."""
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f'node_load1 {self.load}\n'.encode())

    def log_message(self, *words):
        """Log nothing."""


class AgentTest(base.RabbitTestCase):
    """Run a scheduler of one worker."""

    up = (
        '--broker', 'rabbit', '--computes', *LOADS,
        '--set', 'filter_scheduler.enabled_filters=ComputeFilter,StatsFilter',
        '--set', 'nova_ext_stats.names=load1',
        '--set', f'nova_ext_stats.max_age_s={MAX_AGE_S}',
        # Or else the servers that are there already outweigh the load.
        '--set', 'nova_ext_stats.weight_multiplier=10',
    )

    @contextlib.contextmanager
    def agents(self):
        """Run an agent for each host, and return their process ids."""
        pids = []
        with contextlib.ExitStack() as stack:
            for host, load in LOADS.items():
                server = http.server.ThreadingHTTPServer(
                    ('127.0.0.1', 0), functools.partial(Page, load)
                )
                stack.callback(server.server_close)
                stack.callback(server.shutdown)
                threading.Thread(target=server.serve_forever).start()
                own = self.home / f'{host}.conf'
                own.write_text(
                    f'[DEFAULT]\nhost = {host}\n[nova_ext_agent]\n'
                    f'interval_s = 2\nask_interval_s = 4\nnode_exporter = '
                    f'http://127.0.0.1:{server.server_port}/metrics\n'
                )
                agent = subprocess.Popen([
                    str(base.BIN / 'nova-ext-agent'), '--config-file',
                    str(self.nova_conf()), '--config-file', str(own),
                ])
                stack.callback(agent.wait)
                stack.callback(agent.terminate)
                pids.append(agent.pid)
            yield pids

    def boot_with(self, name, requirement):
        """Boot a server with the hint."""
        return self.boot(name, {'stats:load1': requirement})

    def test_less_loaded(self):
        """Servers land there; once nobody pushes, the explanation says so."""
        with self.agents() as pids:
            for requirement in ('>= 7', '<= 1'):
                self.boot_until('ACTIVE', requirement)
            for number in range(4):
                booted = self.boot_with(f'quiet-{number}', '<= 8')
                self.assertEqual('two', booted['OS-EXT-SRV-ATTR:host'])
            for pid in pids:
                memory = psutil.Process(pid).memory_info().rss
                self.assertLess(memory, MOST_MEMORY, memory)
        server = self.boot_until('ERROR', '<= 8')
        self.assertIn(
            'stat ext:load1 is stale', self.explain(server)['sentence']
        )

    def boot_until(self, status, requirement):
        """Boot servers until one is as wanted.

        :returns: its id.
        """
        ids = []

        def reached():
            server = self.boot_with(f'try-{len(ids)}', requirement)
            ids.append(server['id'])
            return server['status'] == status

        self.wait_until(reached)
        return ids[-1]
