"""Filters and weighers of another package, written for Nova itself."""

import copy

from nova.scheduler import filters, weights

#: How often each function below was called.
calls = {'filters': 0, 'weighers': 0}


class PickyFilter(filters.BaseHostFilter):
    """Reject the hosts that the hint ``not`` names, all at once."""

    def filter_all(self, hosts, spec):
        """Return a list, and no generator as Nova's class does."""
        unwanted = _get_hint(spec, 'not')
        return [host for host in hosts if host.host not in unwanted]


class OneByOneFilter(filters.BaseHostFilter):
    """Reject the same hosts, one by one; for the first server only."""

    run_filter_once_per_request = True

    def _filter_one(self, host, spec):
        return host.host not in _get_hint(spec, 'not')


class InnerFilter(filters.BaseHostFilter):
    """Reject the same hosts, through another filter."""

    def __init__(self):
        self.inner = PickyFilter()

    def run_filter_for_index(self, index):
        """Ask the other filter."""
        return self.inner.run_filter_for_index(index)

    def filter_all(self, hosts, spec):
        """Yield what the other filter leaves."""
        yield from self.inner.filter_all(hosts, spec)


class RepeatingFilter(filters.BaseHostFilter):
    """Return another host in place of those that the hint ``not`` names."""

    def filter_all(self, hosts, spec):
        """Return as many hosts as there were."""
        hosts, unwanted = list(hosts), _get_hint(spec, 'not')
        # Nova gives hosts in any order.
        wanted = [host for host in hosts if host.host not in unwanted]
        return [
            self.find_other(wanted or hosts) if host.host in unwanted else host
            for host in hosts
        ]

    def find_other(self, hosts):
        """Return the first of them."""
        return hosts[0]


class AddingFilter(RepeatingFilter):
    """Return another host in place of them, which nobody gave it."""

    def find_other(self, hosts):
        """Return a copy of the first one, with a name of its own."""
        other = copy.copy(hosts[0])
        other.host = other.nodename = 'host-9'
        return other


class DoublingFilter(filters.BaseHostFilter):
    """Return all hosts twice."""

    def filter_all(self, hosts, spec):
        """Return a longer list."""
        return list(hosts) * 2


class StopFilter(filters.BaseHostFilter):
    """Stop filtering; Nova then takes no host."""

    def filter_all(self, hosts, spec):
        """Return no list."""
        return


class BadFilter(filters.BaseHostFilter):
    """Raise."""

    def host_passes(self, host, spec):
        """Fail."""
        raise LookupError('no such key')


class AlienFilter:
    """Reject the same hosts, as no class of Nova's kind."""

    def run_filter_for_index(self, index):
        """Run always."""
        return True

    def filter_all(self, hosts, spec):
        """Return a list."""
        unwanted = _get_hint(spec, 'not')
        return [host for host in hosts if host.host not in unwanted]


class NumberWeigher(weights.BaseHostWeigher):
    """Weigh by the digits of the host's name."""

    def _weigh_object(self, host, properties):
        return float(''.join(filter(str.isdigit, host.host)))

    def weight_multiplier(self, host):
        """Count for more than Nova's own weighers."""
        return 100.0


class InnerWeigher(NumberWeigher):
    """Weigh through another weigher."""

    def weigh_objects(self, weighed, properties):
        """Return the other one's weights."""
        return NumberWeigher().weigh_objects(weighed, properties)


class BadWeigher(weights.BaseHostWeigher):
    """Raise."""

    def _weigh_object(self, host, properties):
        raise LookupError('no such key')


class NoneWeigher(weights.BaseHostWeigher):
    """Return no number."""

    def _weigh_object(self, host, properties):
        return None


def new_filters():
    """Return a class that is made anew at each call."""
    calls['filters'] += 1
    return [type('NewFilter', (PickyFilter,), {})]


def alien_filters():
    """Return a class that is none of Nova's kind."""
    return [AlienFilter]


def new_weighers():
    """Return a class that is made anew at each call."""
    calls['weighers'] += 1
    return [type('NewWeigher', (NumberWeigher,), {})]


def _get_hint(spec, name):
    return (spec.scheduler_hints or {}).get(name, [])
