"""Provide a filter and a weigher of nova-ext's kind that raise if asked."""

from nova_ext.plugin import (
    PASS,
    Filter,
    Weigher,
    get_hint_values,
)


class RaisingFilter(Filter):
    """Raise where hint ``raise`` names it."""

    hints = ('raise',)

    def check(self, host, request):
        """Pass every host, or raise."""
        _raise_if_asked(self, request)
        return PASS


class RaisingWeigher(Weigher):
    """Raise where hint ``raise`` names it."""

    hints = ('raise',)

    def weigh(self, host, request):
        """Weigh all alike, or raise."""
        _raise_if_asked(self, request)
        return 0.0


def _raise_if_asked(plugin, request):
    if type(plugin).__name__ in get_hint_values(request, 'raise'):
        raise ValueError('ours burns')
