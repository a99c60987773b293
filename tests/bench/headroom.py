"""Measure what a filter that keeps N+1 would know, and what it would cost.

python -m tests.bench.headroom

A model: hosts of one size, servers of four flavors. A server goes to the host
with the most free memory that has room for it, as RAMWeigher has it. A loss
evacuates the largest servers first. It is far cheaper than Nova, and knows
no group, zone or trait. So it shows what is left wrong even then.
"""

import random

HOSTS, VCPUS, MEMORY_GB = 20, 64, 256
#: vCPUs and memory in GiB.
FLAVORS = ((2, 4), (4, 16), (8, 64), (16, 32))
CLOUDS = 10
#: Servers that each cloud begins with.
START = 60


class ModelCloud:
    """Hold servers by host."""

    def __init__(self, hosts=HOSTS):
        self.hosts = [[] for _ in range(hosts)]
        self.free = [[VCPUS, MEMORY_GB] for _ in range(hosts)]

    def find(self, flavor, without=None):
        """Return the host that takes a server; None: none does."""
        fitting = [
            host for host, (vcpus, memory_gb) in enumerate(self.free)
            if host != without and vcpus >= flavor[0]
            and memory_gb >= flavor[1]
        ]
        return max(
            fitting, key=lambda host: self.free[host][1], default=None
        )

    def change(self, host, flavor, sign):
        """Take room of a host, or give it back."""
        self.free[host][0] -= sign * flavor[0]
        self.free[host][1] -= sign * flavor[1]

    def boot(self, flavor):
        """Boot a server; say whether there was room."""
        host = self.find(flavor)
        if host is not None:
            self.hosts[host].append(flavor)
            self.change(host, flavor, 1)
        return host is not None

    def copy(self):
        """Return a copy."""
        other = ModelCloud(0)
        other.hosts = [list(servers) for servers in self.hosts]
        other.free = [list(free) for free in self.free]
        return other

    def count_missing(self):
        """Return how many servers the worst loss of a host would cost."""
        return max(map(self._lose, range(len(self.hosts))))

    def _lose(self, lost):
        before, missing = [list(free) for free in self.free], 0
        for flavor in sorted(self.hosts[lost], key=lambda f: (-f[1], -f[0])):
            host = self.find(flavor, lost)
            if host is None:
                missing += 1
            else:
                self.change(host, flavor, 1)
        self.free = before
        return missing


def count_slots(cloud, flavor):
    """Return how many servers of one flavor alone keep N+1."""
    cloud, slots = cloud.copy(), 0
    while cloud.boot(flavor) and not cloud.count_missing():
        slots += 1
    return slots


def fill(dice, cloud):
    """Boot drawn servers for as long as N+1 holds after each."""
    while True:
        after = cloud.copy()
        if not after.boot(dice.choice(FLAVORS)) or after.count_missing():
            return
        cloud.hosts, cloud.free = after.hosts, after.free


def main():
    """Print the figures."""
    dice = random.Random(38)  # noqa: S311  no secret
    refused, missing = [], []
    for _ in range(CLOUDS):
        cloud = ModelCloud()
        for _ in range(START):
            cloud.boot(dice.choice(FLAVORS))
        assert not cloud.count_missing()
        slots = {flavor: count_slots(cloud, flavor) for flavor in FLAVORS}
        mixed, full = cloud.copy(), cloud.copy()
        fill(dice, cloud)
        while full.boot(dice.choice(FLAVORS)):
            pass
        refused.append(
            1 - sum(map(len, cloud.hosts)) / sum(map(len, full.hosts))
        )
        left = [flavor for flavor in FLAVORS for _ in range(slots[flavor])]
        dice.shuffle(left)
        for flavor in left:
            mixed.boot(flavor)
        missing.append(mixed.count_missing())
    print(f'{CLOUDS} clouds of {HOSTS} hosts')
    print(f'boots by fresh counts: {sum(refused) / CLOUDS:.0%} of the servers '
          f'refused that fitted')
    print(f'boots within the slots of each flavor: servers lost with the '
          f'worst host in {sum(map(bool, missing))} clouds, {max(missing)} at '
          f'most')


if __name__ == '__main__':
    main()
