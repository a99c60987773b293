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
BOOTS_PER_COUNT = (1, 5, 20, 60)


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


def fill(seed, boots_per_count):
    """Boot drawn servers until the filter refuses each flavor.

    :param boots_per_count: boots after which slots are counted again.
    :returns: the cloud.
    """
    dice = random.Random(seed)  # noqa: S311  no secret
    cloud, boots, slots = ModelCloud(), 0, {}
    for _ in range(START):
        cloud.boot(dice.choice(FLAVORS))
    while True:
        if boots % boots_per_count == 0:
            slots = {each: count_slots(cloud, each) for each in FLAVORS}
        left = [flavor for flavor in FLAVORS if slots[flavor]]
        if not left:
            return cloud
        flavor = dice.choice(left)
        slots[flavor] -= 1
        cloud.boot(flavor)
        boots += 1


def main():
    """Print the figures."""
    print(f'{CLOUDS} clouds of {HOSTS} hosts')
    for boots_per_count in BOOTS_PER_COUNT:
        kept = [fill(seed, boots_per_count) for seed in range(CLOUDS)]
        missing = [cloud.count_missing() for cloud in kept]
        refused = []
        for cloud in kept:
            before = sum(map(len, cloud.hosts))
            while any([cloud.boot(flavor) for flavor in FLAVORS]):
                pass
            refused.append(1 - before / sum(map(len, cloud.hosts)))
        print(
            f'slots counted every {boots_per_count} boots: servers lost with '
            f'the worst host in {sum(map(bool, missing))} clouds, '
            f'{max(missing)} at most; '
            f'{sum(refused) / CLOUDS:.0%} of the servers that fit refused'
        )


if __name__ == '__main__':
    main()
