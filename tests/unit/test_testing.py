"""Doubles for authors of plugins."""

import random

import testtools

from nova_ext import testing
from nova_ext.plugin import PASS, Filter, Weigher, reject


class DoublesTest(testtools.TestCase):
    """They answer as Nova's objects do."""

    def test_hints(self):
        """One value comes bare, several as a list."""
        request = testing.make_request({'a': 'x', 'b': ['x', 'y']})
        self.assertEqual('x', request.get_scheduler_hint('a'))
        self.assertEqual(['x', 'y'], request.get_scheduler_hint('b'))
        self.assertEqual(7, request.get_scheduler_hint('c', 7))

    def test_fields(self):
        """Any field can be given; an unknown one is refused."""
        host = testing.make_host('a', free_ram_mb=5)
        self.assertEqual(('a', 'a', 5),
                         (host.host, host.nodename, host.free_ram_mb))
        self.assertRaises(TypeError, testing.make_host, 'a', free_ram=5)
        self.assertEqual(
            '10.1.0.9',
            testing.make_context(remote_address='10.1.0.9').remote_address,
        )


class SameAnswersTest(testtools.TestCase):
    """Answers for many hosts are compared with those for each."""

    def assert_differs(self, plugin, *parts):
        """The two forms differ, and the message says of what."""
        error = self.assertRaises(
            AssertionError, testing.assert_same_answers, plugin,
            testing.make_request(),
        )
        for part in parts:
            self.assertIn(part, str(error))

    def test_same(self):
        """A plugin that agrees passes, and so does one of a single form."""
        for plugin in (_FullFilter(), _RowFilter(), _FreeWeigher()):
            testing.assert_same_answers(plugin, testing.make_request())
        testing.assert_same_answers(
            _OffByOneFilter(), testing.make_request(),
            [testing.make_host(free_ram_mb=7)],
        )

    def test_verdict(self):
        """One host of another verdict is found and named."""
        self.assert_differs(
            _OffByOneFilter(), '_OffByOneFilter.check_all() says',
            "check() says Verdict(passed=False, reason='full'",
            'free_ram_mb=0',
        )

    def test_reason(self):
        """A reason counts as well."""
        self.assert_differs(_OtherReasonFilter(), "reason='no room'")

    def test_shape(self):
        """A missing answer, a bare bool and a tuple are no verdicts."""
        self.assert_differs(_ShortFilter(), 'gives 199 answers for 200 hosts')
        self.assert_differs(_MaskFilter(), 'says False')
        self.assert_differs(_TupleFilter(), 'check_all()')

    def test_weight(self):
        """A weight differs by its last bit."""
        self.assert_differs(_RoundingWeigher(), 'weigh_all() says')

    def test_random_hosts(self):
        """They have what makes plugins err: nothing free, capital letters."""
        hosts = testing.FakeColumns(testing.make_random_hosts(
            random.Random(1)  # noqa: S311  not a secret
        ))
        self.assertTrue(any(free < 0 for free in hosts.free_ram_mb))
        self.assertTrue(any(name.isupper() for name in hosts.host))
        self.assertEqual(len(hosts), len(set(hosts.uuid)))

    def test_inherited(self):
        """Who overrides the form for one host is asked by it, or by both."""
        class Stricter(_FullFilter):
            def check(self, host, request):
                return reject('closed')

        class Faster(Stricter):
            def check_all(self, hosts, request):
                return [reject('closed')] * len(hosts)

        class Same(_FullFilter):
            hints = ()

        class Mixin:
            def weigh(self, host, request):
                return 1.0

        class Mixed(Mixin, _RoundingWeigher):
            pass

        for plugin in (Stricter(), Faster(), Same(), Mixed()):
            testing.assert_same_answers(plugin, testing.make_request())
        self.assertIs(_FullFilter.check_all, Same.check_all)


class _RowFilter(Filter):
    """Pass hosts with free memory."""

    def check(self, host, request):
        return PASS if host.free_ram_mb > 0 else reject('full')


class _FullFilter(_RowFilter):
    def check(self, host, request):
        return super().check(host, request)

    def check_all(self, hosts, request):
        full = reject('full')
        return [PASS if free > 0 else full for free in hosts.free_ram_mb]


class _OffByOneFilter(_RowFilter):
    def check_all(self, hosts, request):
        return [
            PASS if free >= 0 else reject('full')
            for free in hosts.free_ram_mb
        ]


class _OtherReasonFilter(_RowFilter):
    def check_all(self, hosts, request):
        return [
            PASS if host.free_ram_mb > 0 else reject('no room')
            for host in hosts
        ]


class _ShortFilter(_RowFilter):
    def check_all(self, hosts, request):
        return super().check_all(hosts, request)[1:]


class _MaskFilter(_RowFilter):
    def check_all(self, hosts, request):
        return [free > 0 for free in hosts.free_ram_mb]


class _TupleFilter(_RowFilter):
    def check_all(self, hosts, request):
        return [
            tuple(verdict) for verdict in super().check_all(hosts, request)
        ]


class _FreeWeigher(Weigher):
    """Weigh by free memory."""

    def weigh(self, host, request):
        return host.free_ram_mb / 3

    def weigh_all(self, hosts, request):
        return [free / 3 for free in hosts.free_ram_mb]


class _RoundingWeigher(_FreeWeigher):
    def weigh_all(self, hosts, request):
        return [free * (1 / 3) for free in hosts.free_ram_mb]
