"""What other requests change of shared host states is found."""

from types import SimpleNamespace

import testtools

from nova_ext.scheduler.journal.watched_hosts import WatchedHosts


class WatchedHostsTest(testtools.TestCase):
    """Two hosts, and a request for two servers."""

    def setUp(self):
        """Begin with the first ranking."""
        super().setUp()
        self.one, self.other = (
            SimpleNamespace(host=host, updated=1, free_ram_mb=1024)
            for host in ('one', 'other')
        )
        self.watched = self.watch()

    def watch(self):
        """Watch them as they are."""
        states = [self.one, self.other]
        return WatchedHosts(states, [dict(vars(state)) for state in states])

    def test_alone(self):
        """The request takes room between its rankings."""
        self.watched.end_ranking()
        self.one.updated, self.one.free_ram_mb = 2, 512
        self.watched.begin_ranking()
        self.watched.end_ranking()
        # Nobody looks at what changes after the last one.
        self.other.updated = 2
        self.assertEqual([], self.watched.list_foreign(['one']))

    def test_while_ranking(self):
        """Another takes room, of the same host even; or reads a row."""
        for name, value in (('free_ram_mb', 512), ('updated', 2)):
            watched = self.watch()
            setattr(self.one, name, value)
            watched.end_ranking()
            self.assertEqual(['one'], watched.list_foreign(['one']))

    def test_while_kept(self):
        """A host that changed as the journal copied it."""
        watched = WatchedHosts([self.one], [{'updated': 1, 'free_ram_mb': 7}])
        watched.end_ranking()
        self.assertEqual(['one'], watched.list_foreign([]))

    def test_between(self):
        """Another takes room of a host that this one did not take."""
        self.watched.end_ranking()
        self.one.updated = self.other.updated = 2
        self.watched.begin_ranking()
        self.watched.end_ranking()
        self.assertEqual(['other'], self.watched.list_foreign(['one']))
