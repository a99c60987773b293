"""Collect the speed of a network card."""

from collections.abc import Collection, Mapping
from pathlib import Path

from nova_ext.plugin import Collector, Value

#: The stat, in megabits a second.
SPEED = 'ext:nic_speed_mbps'
_CARDS = Path('/sys/class/net')


class NicSpeedCollector(Collector):
    """Measure the speed of ``[nova_ext_agent] nic``, in megabits a second.

    Stat: ``ext:nic_speed_mbps``; absent while the card has no link, and for
    one that has no speed.
    """

    option_group = 'nova_ext_agent'
    cards = _CARDS

    def collect(self, wanted: Collection[str]) -> Mapping[str, Value]:
        """Ask Linux."""
        nic = self.options['nic']
        if SPEED not in wanted or not nic:
            return {}
        try:
            speed = int((self.cards / nic / 'speed').read_text())
        except OSError:
            # Linux answers so for a card that is down.
            return {}
        return {SPEED: speed} if speed > 0 else {}
