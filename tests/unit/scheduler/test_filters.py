"""Plugin filters as Nova sees them."""

import fixtures
from nova import exception
from nova.scheduler import filters as nova_filters

from nova_ext import testing
from nova_ext.core import extension
from nova_ext.core.base import errors
from nova_ext.scheduler import filters
from nova_ext.scheduler.plugins.filter_adapter import FilterAdapter
from tests.unit.scheduler import configured


class EvenFilter(extension.Filter):
    """Pass hosts with an even number."""

    once_per_request = True

    def check(self, host, request):
        """Look at the last digit."""
        if int(host.host[-1]) % 2:
            return extension.reject('odd')
        return extension.PASS


class RaisingFilter(extension.Filter):
    """Raise for every host."""

    def check(self, host, request):
        """Fail."""
        raise KeyError('secret detail')


class CarelessFilter(extension.Filter):
    """Answer with what is no verdict."""

    def check(self, host, request):
        """Answer True."""
        return True


class NativeFilter(nova_filters.BaseHostFilter):
    """A filter written for Nova itself."""


class RefusingFilter(extension.Filter):
    """Does not start."""

    def __init__(self, options=None):
        raise RuntimeError('no licence')


class RestrictedFilter(extension.Filter):
    """Passes every host of a caller whom the policy allows."""

    policy = 'nova_ext:requested_host'

    def restricted(self, request):
        """Always ask the policy."""
        return True

    def check(self, host, request):
        """Pass."""
        return extension.PASS


class AdaptTest(configured.ConfiguredTestCase):
    """An adapted filter is one of Nova's."""

    def setUp(self):
        """Record nothing here."""
        super().setUp()
        self.flags('nova_ext_record', enabled=False)
        self.log = self.useFixture(fixtures.FakeLogger())

    def filter_all(self, cls, **hints):
        """Names of the hosts that pass."""
        hosts = [testing.make_host(f'cmp-{n}') for n in range(4)]
        made = FilterAdapter.adapt(cls)()
        request = testing.make_request(hints)
        return [h.host for h in made.filter_all(hosts, request)]

    def test_under_its_own_name(self):
        """Nova logs and configures by class name."""
        cls = FilterAdapter.adapt(EvenFilter)
        self.assertTrue(issubclass(cls, nova_filters.BaseHostFilter))
        self.assertEqual('EvenFilter', cls.__name__)
        made = cls()
        self.assertFalse(made.run_filter_for_index(1))
        self.assertFalse(made.RUN_ON_REBUILD)
        self.assertIn('EvenFilter is initialized!', self.log.output)

    def test_verdicts(self):
        """Who passes, passes."""
        self.assertEqual(['cmp-0', 'cmp-2'], self.filter_all(EvenFilter))

    def test_policy_is_asked_where_the_filter_runs(self):
        """Nobody is known to be the caller here; a rebuild needs nobody."""
        self.assertEqual([], self.filter_all(RestrictedFilter))
        self.assertEqual(
            4, len(self.filter_all(
                RestrictedFilter, _nova_check_type='rebuild'
            )),
        )

    def test_raising_fails_the_request(self):
        """With the filter's name; the detail stays in the log."""
        for cls, what in (
            (RaisingFilter, 'KeyError'), (CarelessFilter, 'TypeError')
        ):
            error = self.assertRaises(
                exception.NoValidHost, self.filter_all, cls
            )
            self.assertIn(f'filter {cls.__name__} raised {what}', str(error))
            self.assertNotIn('secret detail', str(error))
        self.assertIn('secret detail', self.log.output)

    def test_nova_filters_are_taken_too(self):
        """A class that is one already."""
        self.assertTrue(
            issubclass(FilterAdapter.adapt(NativeFilter), NativeFilter)
        )

    def test_what_is_no_filter(self):
        """A weigher, say."""
        error = self.assertRaises(
            errors.ConfigurationError, FilterAdapter.adapt, extension.Weigher
        )
        self.assertIn('Weigher: no filter', str(error))

    def test_one_that_does_not_start(self):
        """The option and the filter are named."""
        error = self.assertRaises(
            errors.ConfigurationError, FilterAdapter.adapt(RefusingFilter)
        )
        self.assertIn('enabled_filters = RefusingFilter', str(error))


class AllFiltersTest(configured.ConfiguredTestCase):
    """One line brings them all."""

    def test_ours_and_novas(self):
        """Nova's own come under their own names."""
        names = [cls.__name__ for cls in filters.all_filters()]
        self.assertEqual(len(set(names)), len(names))
        nova = {cls.__name__ for cls in nova_filters.all_filters()}
        ours = {'OfferFilter', 'SpecifiedHostFilter', 'StatsFilter'}
        self.assertEqual(set(names), nova | ours)
