"""Name the modes of nova-ext, from the smallest to the largest."""

import enum


class Mode(enum.StrEnum):
    """Name how much of nova-ext runs beside Nova's scheduler."""

    #: Nothing on the scheduler's host.
    NONE = 'none'
    #: Filters, weighers and the record, in a stock nova-scheduler.
    PLUGIN = 'plugin'
    #: nova-ext-scheduler in place of nova-scheduler.
    SCHEDULER = 'scheduler'

    def includes(self, needed: 'Mode') -> bool:
        """Say whether what needs the other mode works in this one."""
        order = list(Mode)
        return order.index(self) >= order.index(needed)
