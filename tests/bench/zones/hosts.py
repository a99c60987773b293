"""Draw the hosts of zones, and say which of them servers take one by one."""

from dataclasses import dataclass

import numpy as np

#: What one server takes.
VCPUS, MEMORY_MB, DISK_GB = 1, 512, 1
#: As FreeRamCost and OwnerServersCost define them.
CEILING_MB, SERVER_COST = 2**24, 1024
#: Shares of hosts: down, with few processors left, with servers of the owner.
_DOWN, _NARROW, _OWNED = 0.03, 0.1, 0.2


@dataclass(frozen=True)
class Hosts:
    """Hold numbers of a zone's hosts, one a host.

    :param memory_mb: of the host, and what of it is free.
    :param vcpus: that servers may have, and how many of them are free.
    :param servers: on the host, and how many are of the owner who asks.
    """

    memory_mb: np.ndarray
    free_mb: np.ndarray
    vcpus: np.ndarray
    free_vcpus: np.ndarray
    free_gb: np.ndarray
    servers: np.ndarray
    owned: np.ndarray
    is_up: np.ndarray

    def __len__(self):
        """Return the number of hosts."""
        return len(self.free_mb)


def draw(seed, count):
    """Draw hosts; the same seed draws the same."""
    dice = np.random.default_rng(seed)
    memory_mb = 1024 * dice.choice([64, 128, 256, 384, 512], count)
    free_mb = 512 * (memory_mb * dice.random(count) // 512).astype(int)
    vcpus = dice.choice([64, 128, 256], count)
    return Hosts(
        memory_mb, free_mb, vcpus,
        np.where(
            dice.random(count) < _NARROW, dice.integers(0, 4, count),
            dice.integers(4, vcpus + 1),
        ),
        dice.integers(0, 4000, count), dice.integers(3, 40, count),
        np.where(
            dice.random(count) < _OWNED, dice.integers(1, 4, count), 0
        ),
        dice.random(count) >= _DOWN,
    )


def place_one_by_one(zones, servers):
    """Place servers in one zone of all hosts, a request for each.

    It is told by numbers alone, and shares no code with the zones. Of hosts
    that cost the same, the first by its zone's UUID is taken.

    :param zones: hosts by the UUID of their zone.
    :returns: the cost and the zone of each server, in order.
    """
    uuids = sorted(zones)
    names = np.repeat(uuids, [len(zones[uuid]) for uuid in uuids])
    parts = [zones[uuid] for uuid in uuids]
    free_mb = np.concatenate([part.free_mb for part in parts])
    owned = np.concatenate([part.owned for part in parts])
    # How many more servers fit.
    room = np.concatenate([
        np.minimum.reduce([
            part.free_mb // MEMORY_MB, part.free_vcpus // VCPUS,
            part.free_gb // DISK_GB,
        ]) * part.is_up for part in parts
    ])
    costs = (CEILING_MB - free_mb + MEMORY_MB + SERVER_COST * owned)
    placed = []
    for _ in range(servers):
        fitting = np.where(room > 0, costs, np.iinfo(costs.dtype).max)
        host = int(fitting.argmin())
        if not room[host]:
            break
        placed.append((int(costs[host]), str(names[host])))
        costs[host] += MEMORY_MB + SERVER_COST
        room[host] -= 1
    return placed
