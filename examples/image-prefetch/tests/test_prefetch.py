"""Services on a message bus inside one process, and who asks them."""

import contextlib
import pathlib
import unittest

import oslo_messaging as messaging
from oslo_context import context

from image_prefetch import image
from image_prefetch.cache import Cache
from image_prefetch.prefetch import FAILED, Outcome, Prefetch
from image_prefetch.service import serving
from nova_ext.client import SchedulerClient
from tests.test_cache import CacheTestCase


class PrefetchTest(CacheTestCase):
    """Two hosts that serve, and one that does not."""

    def setUp(self):
        """Start the services of two hosts."""
        super().setUp()
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        self.client = stack.enter_context(
            SchedulerClient('fake://', timeout_s=10)
        )
        self.caches = {}
        for host in ('a', 'b'):
            self.caches[host] = Cache(
                pathlib.Path(f'{self.folder}-{host}'), self.source
            )
            stack.enter_context(
                serving(self.client, host, self.caches[host])
            )
        self.image = image.read(self.source, 'cirros.img')

    def fetch(self, *hosts, count=1, copy_s=10):
        """Fetch on the best of these."""
        prefetch = Prefetch(
            self.client, context.RequestContext(), copy_s=copy_s
        )
        return prefetch.fetch(self.image, hosts, count)

    def test_best_first(self):
        """No more hosts than were asked for; again it is held."""
        self.assertEqual([Outcome('a', 'copied')], self.fetch('a', 'b'))
        self.assertEqual([Outcome('a', 'held')], self.fetch('a', 'b'))
        self.assertEqual(['cirros.img'], self.caches['a'].held())
        self.assertEqual([], self.caches['b'].held())

    def test_several(self):
        """Side by side."""
        outcomes = self.fetch('a', 'b', count=2)
        self.assertEqual(
            {Outcome('a', 'copied'), Outcome('b', 'copied')}, set(outcomes)
        )

    def test_next_best(self):
        """For a host that is dead, which is told."""
        self.assertEqual(
            [Outcome('dead', FAILED, 'gives no sign of life'),
             Outcome('b', 'copied')],
            self.fetch('dead', 'b', 'a', copy_s=5),
        )
        self.assertEqual([], self.caches['a'].held())

    def test_all_fail(self):
        """Each says why."""
        (self.source / 'cirros.img').write_bytes(b'changed meanwhile')
        outcomes = self.fetch('a', 'b', count=2)
        self.assertEqual(
            {Outcome(host, FAILED, 'cirros.img arrived damaged')
             for host in ('a', 'b')}, set(outcomes),
        )

    def test_bus_goes_away(self):
        """Between two hosts: it is told in time, and no other is asked."""
        driver = self.client.transport._driver
        send = driver.send

        def send_but_to_b(target, *words, retry=None, **named):
            if target.server != 'b':
                return send(target, *words, retry=retry, **named)
            if retry is None:
                self.fail('it would wait as long as the broker is away')
            raise messaging.MessageDeliveryFailure('3 tries')

        (self.source / 'cirros.img').write_bytes(b'changed meanwhile')
        driver.send = send_but_to_b
        self.assertEqual(
            [Outcome('a', FAILED, 'cirros.img arrived damaged'),
             Outcome('b', FAILED, 'the message bus can\'t be reached '
                     '(MessageDeliveryFailure)')],
            self.fetch('a', 'b', 'c'),
        )

    def test_folder_that_can_not_be_looked_at(self):
        """A fetch that succeeded stays one; the log tells of the report."""
        class Hidden(Cache):
            def held(self):
                raise PermissionError(13, 'Permission denied')

        hidden = Hidden(self.folder, self.source)
        with self.assertLogs() as log, serving(
            self.client, 'c', hidden
        ) as tell:
            self.assertEqual([Outcome('c', 'copied')], self.fetch('c'))
            tell()
        self.assertEqual(
            ['The images can\'t be looked at: [Errno 13] Permission denied'],
            [*{record.getMessage() for record in log.records}],
        )

    def test_no_report_without_a_server(self):
        """A host that can't be asked is not looked at, to be chosen."""
        looked = []

        class Looked(Cache):
            def held(self):
                looked.append(self)
                return super().held()

        with self.assertRaises(messaging.InvalidTarget), serving(
            self.client, '', Looked(self.folder, self.source)
        ):
            pass
        self.assertEqual([], looked)


if __name__ == '__main__':
    unittest.main()
