"""Plugins that raise where a request's hint tells them to.

The hint is ``raise=<who>``, or ``raise=<who> raise=<n>`` for one that works
until n servers of the request have been placed. A third value names what ends
a program. Only for a cloud that holds no servers yet.
"""

from nova.scheduler import filters

from nova_ext.core.request import scheduler_hints
from nova_ext.plugin import PASS, ComputeDriver, Filter, Weigher

#: What ends a program, not a request.
ENDING = {
    'exit': SystemExit, 'interrupt': KeyboardInterrupt,
    'generator': GeneratorExit,
}


class RaisingFilter(Filter):
    """A filter with a mistake in it."""

    def check(self, host, request):
        """Raise, answer with no verdict, or pass the host."""
        stumble('filter', request, [host])
        if stumbles('verdict', request, [host]):
            return True
        return PASS


class RaisingNovaFilter(filters.BaseHostFilter):
    """A filter of Nova's kind."""

    def host_passes(self, host_state, filter_properties):
        """Raise, or pass the host."""
        stumble('nova', filter_properties, [host_state])
        return True


class RaisingWeigher(Weigher):
    """A weigher with a mistake in it."""

    def weigh(self, host, request):
        """Raise, or weigh nothing."""
        stumble('weigher', request, [host])
        return 0.0


class RaisingScheduler(ComputeDriver):
    """A driver with mistakes in all of its methods."""

    def rank(self, hosts, request, context):
        """Raise, or take the hosts as they are."""
        stumble('rank', request, hosts)
        return super().rank(hosts, request, context)

    def select_destinations(self, context, request, properties, schedule):
        """Raise after all hosts are claimed."""
        chosen = schedule()
        stumble('select', request, [])
        return chosen

    def on_scheduled(self, hosts, request, context):
        """Raise where nobody can help it any more."""
        stumble('scheduled', request, [])


def stumble(who, request, hosts):
    """Raise if the request's hint says so."""
    if stumbles(who, request, hosts):
        *_, kind = ['', *scheduler_hints.get_hint_values(request, 'raise')]
        raise ENDING.get(kind, ZeroDivisionError)(f'in {who}')


def stumbles(who, request, hosts):
    """Return whether the request's hint says so."""
    values = scheduler_hints.get_hint_values(request, 'raise')
    named, placed = [*values, '', ''][:2]
    return named == who and sum(h.num_instances for h in hosts) >= int(
        placed or 0
    )
