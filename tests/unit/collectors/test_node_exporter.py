"""Test what is read from node_exporter's page."""

import http.server
import threading
import urllib.error
from pathlib import Path

import fixtures
import testtools

from nova_ext.collectors.free_space import FREE
from nova_ext.collectors.load import LOADS
from nova_ext.collectors.nic_speed import SPEED
from nova_ext.collectors.node_exporter import NodeExporterCollector

PAGE = '''\
# HELP node_load1 1m load average.
# TYPE node_load1 gauge
node_load1 0.73
node_load15 0.11
node_filesystem_avail_bytes{device="/dev/a",fstype="ext4",mountpoint="/"} 2e+09
node_filesystem_avail_bytes{device="/dev/b",mountpoint="/var/lib"} 5.4e+10
node_filesystem_avail_bytes{device="/dev/c",mountpoint="/var/lib/novak"} 1e+12
node_network_speed_bytes{device="eth0"} 1.25e+09
node_network_speed_bytes{device="eth1"} -125000
node_network_speed_bytes{device="eth2"} 0
node_uname_info{release="5 } 6",version="#1 SMP"} 1
'''
ALL = {'ext:load1', 'ext:path_free_gb', 'ext:nic_speed_mbps'}
#: What the other collectors tell.
OTHERS = {*LOADS, FREE, SPEED}


class NodeExporterTest(testtools.TestCase):
    """Read a page of version 1.8, with lines left out."""

    def collector(self, **options):
        """Return a collector for that page."""
        return NodeExporterCollector({
            'path': '/var/lib/nova/instances', 'nic': 'eth0',
            'node_exporter': None, **options,
        })

    def test_page(self):
        """Names and units are ours; the path's nearest mount counts."""
        stats = self.collector().read(PAGE)
        self.assertEqual({
            'ext:load1': 0.73, 'ext:load15': 0.11, 'ext:path_free_gb': 50,
            'ext:nic_speed_mbps': 10000,
        }, stats)
        self.assertLessEqual(set(stats), OTHERS)

    def test_mount_itself(self):
        """The path may be a mount."""
        stats = self.collector(path='/var/lib/novak').read(PAGE)
        self.assertEqual(931, stats['ext:path_free_gb'])

    def test_link(self):
        """The mount is of what a link names, which need not be there."""
        link = Path(self.useFixture(fixtures.TempDir()).join('instances'))
        link.symlink_to('/var/lib/novak/instances')
        stats = self.collector(path=str(link)).read(PAGE)
        self.assertEqual(931, stats['ext:path_free_gb'])

    def test_what_is_not_there(self):
        """No stat of it: a card that is down, a page of something else."""
        stats = self.collector(nic='eth1', path='/srv').read(PAGE)
        self.assertNotIn('ext:nic_speed_mbps', stats)
        self.assertEqual(1, stats['ext:path_free_gb'])
        self.assertNotIn(
            'ext:nic_speed_mbps', self.collector(nic='eth2').read(PAGE)
        )
        self.assertEqual({}, self.collector().read('<html>\nnothing here\n'))

    def test_no_number(self):
        """It costs no other stat, and no other mount stands for it."""
        page = PAGE.replace(' 5.4e+10', ' NaN').replace(' 1.25e+09', ' +Inf')
        self.assertEqual({
            'ext:load1': 0.73, 'ext:load15': 0.11,
        }, self.collector().read(page))

    def test_over_http(self):
        """Asked where it listens; not at all where it is not configured."""
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(PAGE.encode())

            def log_message(self, *words):
                pass

        server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
        self.addCleanup(server.server_close)
        threading.Thread(target=server.handle_request, daemon=True).start()
        url = f'http://127.0.0.1:{server.server_port}/metrics'
        stats = self.collector(node_exporter=url).collect(ALL)
        self.assertEqual(0.73, stats['ext:load1'])
        server.server_close()
        self.assertRaises(
            urllib.error.URLError,
            self.collector(node_exporter=url).collect, ALL,
        )
        self.assertEqual({}, self.collector().collect(ALL))

    def test_nothing_of_use(self):
        """No request for what it can't tell: none of these is answered."""
        collector = self.collector(node_exporter='http://127.0.0.1:0/')
        self.assertEqual({}, collector.collect({'ext:users', 'vcpus'}))
        for name in ('ext:load5', 'ext:path_free_gb', 'ext:nic_speed_mbps'):
            self.assertRaises(OSError, collector.collect, {'vcpus', name})
