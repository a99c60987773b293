"""Plugins of an author's that answer for many hosts at once."""

from nova_ext.plugin import PASS, Filter, Weigher, reject


class RoomFilter(Filter):
    """Keep as much memory free as the hint room says; break at ``x``."""

    hints = ('room',)
    #: How often it was asked about all hosts.
    asked = 0

    def check(self, host, request):
        """Ask about one host."""
        room = request.get_scheduler_hint('room', '0')
        if room == 'x' or host.free_ram_mb >= int(room):
            return PASS
        return reject(f'less than {room} MiB', f'but {host.free_ram_mb}')

    def check_all(self, hosts, request):
        """Ask about all hosts."""
        RoomFilter.asked += 1
        room = int(request.get_scheduler_hint('room', '0'))
        return [
            PASS if free >= room
            else reject(f'less than {room} MiB', f'but {free}')
            for free in hosts.free_ram_mb
        ]


class NameWeigher(Weigher):
    """Prefer hosts by the last letter of their name."""

    hints = ()
    #: How often it was asked about all hosts.
    asked = 0

    def weigh(self, host, request):
        """Weigh one host."""
        return float(host.host[-1])

    def weigh_all(self, hosts, request):
        """Weigh all hosts."""
        NameWeigher.asked += 1
        return [float(host[-1]) for host in hosts.host]

    def get_multiplier(self):
        """Weigh more than all others do."""
        return 100.0
