"""Hosts and a request of nova_ext.testing, where Nova is not installed."""

import random
from collections.abc import Mapping
from typing import Any

from nova_ext.testing import FakeFlavor, make_host, make_request


def hosts(count: int) -> list[Any]:
    """Hosts that differ, the same ones at every call."""
    dice = random.Random(0)  # noqa: S311  no secret
    return [
        make_host(
            f'cmp-{n}', vcpus_used=dice.randrange(8),
            free_ram_mb=dice.randrange(16384),
            free_disk_mb=dice.randrange(102400),
            num_instances=dice.randrange(50), num_io_ops=dice.randrange(8),
        )
        for n in range(count)
    ]


def request(
    hints: Mapping[str, list[str]], extra_specs: Mapping[str, str]
) -> Any:
    """A request to boot one small server."""
    return make_request(
        dict(hints), flavor=FakeFlavor(extra_specs=extra_specs)
    )
