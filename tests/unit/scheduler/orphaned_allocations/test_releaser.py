"""Read what servers hold, less and less often."""

import datetime
from unittest import mock

from nova import exception
from oslo_utils import timeutils

from nova_ext.scheduler.orphaned_allocations import cell0_servers, releaser
from tests.unit.scheduler import configured


class ReleaserTest(configured.ConfiguredTestCase):
    """A clock that a test turns; what is read is kept."""

    def setUp(self):
        """Have one server in cell0, which holds nothing."""
        super().setUp()
        self.now, self.uuids, self.read = 1000.0, ['a'], []
        #: What each holds.
        self.held = {}
        #: Those about which placement answers with an error.
        self.broken = set()
        #: What it answers where an allocation is released.
        self.status = 204
        self.releaser = releaser.Releaser(None, lambda: self)
        for patched in (
            mock.patch.object(releaser.time, 'monotonic', lambda: self.now),
            mock.patch.object(
                cell0_servers, 'list_uuids', lambda *_: self.uuids
            ),
        ):
            patched.start()
            self.addCleanup(patched.stop)

    def get_allocs_for_consumer(self, context, uuid):
        """Answer for placement."""
        self.read.append((uuid, self.now))
        if uuid in self.broken:
            raise exception.ConsumerAllocationRetrievalFailed(
                consumer_uuid=uuid, error='503'
            )
        return {
            'allocations': {'node': {'resources': self.held}}
            if self.held else {},
            'consumer_generation': 1,
        }

    def put(self, url, body, version):
        """Answer for placement."""
        self.read.append((f'PUT {url}', self.now))
        return mock.Mock(status_code=self.status)

    def look(self, seconds):
        """Look every ten seconds."""
        end = self.now + seconds
        while self.now < end:
            self.assertEqual([], self.releaser.release())
            self.now += releaser.INTERVAL_S

    def test_ever_later(self):
        """Each wait is as long as all before it: ten readings an hour."""
        self.look(3600)
        self.assertEqual(
            [0, 10, 20, 40, 80, 160, 320, 640, 1280, 2560],
            [when - 1000 for _, when in self.read],
        )

    def test_newcomers(self):
        """A server that is new to cell0 is read at the next look."""
        self.look(100)
        self.read.clear()
        self.uuids = ['a', 'b']
        self.look(10)
        self.assertEqual([('b', 1100)], self.read)

    def test_forgotten(self):
        """What is known of a server ends with its hour."""
        self.look(10)
        self.uuids = []
        self.look(10)
        self.assertEqual({}, self.releaser._read_at)

    def test_bound(self):
        """500 are read at a look, and the others at the next."""
        self.uuids = [str(number) for number in range(600)]
        self.look(10)
        self.assertEqual(self.uuids[:500], [uuid for uuid, _ in self.read])
        self.read.clear()
        self.look(10)
        self.assertEqual(
            self.uuids[500:], [uuid for uuid, _ in self.read][:100]
        )

    def test_batches(self):
        """What is orphaned is released before more servers are read."""
        self.uuids = [str(number) for number in range(60)]
        self.hold()
        self.assertEqual(self.uuids, self.releaser.release())
        events = [uuid for uuid, _ in self.read]
        self.assertEqual(
            [*self.uuids[:50], '0', 'PUT /allocations/0', '1'], events[:53]
        )
        self.assertEqual(self.uuids[50:], events[150:160])

    def hold(self):
        """Have all servers hold what nobody will build."""
        self.held = {'VCPU': 1}
        for where, name, answer in (
            (cell0_servers, 'list_buildable', set()),
            (releaser.compute_nodes, 'list_nodes',
             ({'host': {'n': 'node'}}, True)),
        ):
            patched = mock.patch.object(where, name, return_value=answer)
            patched.start()
            self.addCleanup(patched.stop)

    def test_refused_releases(self):
        """A look ends after three; the next one begins with others."""
        self.uuids, self.status = list('abcdef'), 500
        self.hold()
        for asked in ('abc', 'def'):
            self.read.clear()
            self.look(10)
            self.assertEqual(
                [f'PUT /allocations/{uuid}' for uuid in asked],
                [url for url, _ in self.read if url.startswith('PUT')],
            )
        self.status = 204
        self.assertEqual(set('abcdef'), set(self.releaser.release()))

    def test_errors(self):
        """An error for one server keeps no other from being read."""
        self.uuids, self.broken = ['a', 'b', 'c'], {'a'}
        self.look(20)
        self.assertEqual(
            ['a', 'b', 'c', 'b', 'c', 'a'], [uuid for uuid, _ in self.read]
        )
        self.broken.clear()
        self.read.clear()
        self.look(10)
        self.assertIn(('a', 1020), self.read)
        self.assertEqual({}, self.releaser._not_read_at)

    def test_outage(self):
        """A look ends after three errors; all come in turn."""
        self.uuids = [str(number) for number in range(100)]
        self.broken = set(self.uuids)
        self.look(20)
        self.assertEqual(self.uuids[:6], [uuid for uuid, _ in self.read])

    def test_window(self):
        """Servers of the last hour are asked for."""
        asked = []
        with mock.patch.object(
            cell0_servers, 'list_uuids', lambda since: asked.append(since)
            or []
        ):
            self.releaser.release()
        self.assertAlmostEqual(
            3600, (timeutils.utcnow() - asked[0]).total_seconds(), delta=60
        )
        self.assertEqual(datetime.timedelta(hours=1), releaser.WINDOW)
