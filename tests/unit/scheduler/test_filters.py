"""Test plugin filters as Nova sees them."""

from importlib import metadata
from types import SimpleNamespace

import fixtures
from nova import exception
from nova.scheduler import filters as nova_filters

from nova_ext import plugin, testing
from nova_ext.core.base import errors
from nova_ext.scheduler import filters
from nova_ext.scheduler.plugins import adapters
from nova_ext.scheduler.plugins.adapters import FilterAdapter
from tests.unit.scheduler import configured


class EvenFilter(plugin.Filter):
    """Pass hosts with an even number."""

    once_per_request = True

    def check(self, host, request):
        """Look at the last digit."""
        if int(host.host[-1]) % 2:
            return plugin.reject('odd')
        return plugin.PASS


class RaisingFilter(plugin.Filter):
    """Raise for every host."""

    def check(self, host, request):
        """Fail."""
        raise KeyError('secret detail')


class CarelessFilter(plugin.Filter):
    """Return no verdict."""

    def check(self, host, request):
        """Return True."""
        return True


class WordyFilter(plugin.Filter):
    """Give reasons of 10 MB."""

    def check(self, host, request):
        """Reject every host."""
        return plugin.reject('x' * 10**7, 'y' * 10**7)


class NativeFilter(nova_filters.BaseHostFilter):
    """Be a filter written for Nova itself."""


class RefusingFilter(plugin.Filter):
    """Fail to start."""

    def __init__(self, options=None):
        raise RuntimeError('no licence')


class RestrictedFilter(plugin.Filter):
    """Pass every host for a caller whom the policy allows."""

    policy = 'nova_ext:requested_host'

    def is_restricted(self, request):
        """Always ask the policy."""
        return True

    def check(self, host, request):
        """Pass."""
        return plugin.PASS


class AdaptTest(configured.ConfiguredTestCase):
    """Test the adapter of filters."""

    def setUp(self):
        """Listen to the log."""
        super().setUp()
        self.log = self.useFixture(fixtures.FakeLogger())

    def filter_all(self, cls, **hints):
        """Return the names of the hosts that pass."""
        hosts = [testing.make_host(f'cmp-{n}') for n in range(4)]
        adapted = FilterAdapter.adapt(cls)()
        request = testing.make_request(hints)
        return [h.host for h in adapted.filter_all(hosts, request)]

    def test_under_its_own_name(self):
        """Bear the plugin's name, by which Nova logs and configures."""
        cls = FilterAdapter.adapt(EvenFilter)
        self.assertTrue(issubclass(cls, nova_filters.BaseHostFilter))
        self.assertEqual('EvenFilter', cls.__name__)
        adapted = cls()
        self.assertFalse(adapted.run_filter_for_index(1))
        self.assertFalse(adapted.RUN_ON_REBUILD)
        self.assertIn('EvenFilter is initialized!', self.log.output)

    def test_verdicts(self):
        """Pass the hosts that the plugin passes."""
        self.assertEqual(['cmp-0', 'cmp-2'], self.filter_all(EvenFilter))

    def test_policy_is_asked_where_the_filter_runs(self):
        """Reject all without a caller, but not at a rebuild."""
        self.assertEqual([], self.filter_all(RestrictedFilter))
        self.assertEqual(
            4, len(self.filter_all(
                RestrictedFilter, _nova_check_type='rebuild'
            )),
        )

    def test_raising_fails_the_request(self):
        """Name the filter in the message, and log the detail."""
        for cls, what in (
            (RaisingFilter, 'KeyError'), (CarelessFilter, 'TypeError')
        ):
            error = self.assertRaises(
                exception.NoValidHost, self.filter_all, cls
            )
            self.assertIn(f'filter {cls.__name__} raised {what}', str(error))
            self.assertNotIn('secret detail', str(error))
        self.assertIn('secret detail', self.log.output)

    def test_long_reasons(self):
        """Keep the beginning of what a filter says of each host."""
        attempt = SimpleNamespace(reasons={})
        self.patch(
            adapters.cycle, 'get_attempt', lambda: attempt
        )
        adapted = FilterAdapter.adapt(WordyFilter)()
        self.assertFalse(adapted.host_passes(
            testing.make_host('cmp-0'), testing.make_request()
        ))
        reason, = attempt.reasons.values()
        self.assertLess(len(reason.text) + len(reason.detail), 10_000)

    def test_nova_filters_are_taken_too(self):
        """Take a class of Nova's kind as it is."""
        self.assertTrue(
            issubclass(FilterAdapter.adapt(NativeFilter), NativeFilter)
        )

    def test_what_is_no_filter(self):
        """Refuse a weigher."""
        error = self.assertRaises(
            errors.ConfigurationError, FilterAdapter.adapt, plugin.Weigher
        )
        self.assertIn('Weigher: no filter', str(error))

    def test_one_that_does_not_start(self):
        """Name the option and the filter."""
        error = self.assertRaises(
            errors.ConfigurationError, FilterAdapter.adapt(RefusingFilter)
        )
        self.assertIn('enabled_filters = RefusingFilter', str(error))


class AllFiltersTest(configured.ConfiguredTestCase):
    """Test the line of available_filters."""

    def test_ours_and_novas(self):
        """Return Nova's own filters and ours, once each."""
        names = [cls.__name__ for cls in filters.all_filters()]
        self.assertEqual(len(set(names)), len(names))
        nova = {cls.__name__ for cls in nova_filters.all_filters()}
        ours = metadata.entry_points(group='nova_ext.filters').names
        self.assertIn('SpecifiedHostFilter', ours)
        self.assertEqual(set(names), nova | ours)
