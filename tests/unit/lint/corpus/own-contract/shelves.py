"""A filter.

It has mistakes.
"""

from nova_ext.core.request import scheduler_hints as hints
from nova_ext.plugin import PASS, Filter

HINT = 'shelf'


class ShelfFilter(Filter):
    """Do nothing useful."""

    hints = ('shelf',)

    # The arguments of a filter of Nova's, and one more.
    def check(self, host, request, context):
        host['shelf'] = hints.values(request, HINT)
        return PASS
