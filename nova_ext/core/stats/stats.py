"""Describe the stats that are pushed of hosts."""

from dataclasses import dataclass

#: A number, a text or a boolean.
Value = int | float | str | bool

#: Host and node; an empty node stands for all nodes of the host.
Name = tuple[str, str]

#: Fields of Nova's compute node that may be pushed.
FIELDS = frozenset({
    'cpu_allocation_ratio', 'current_workload', 'disk_allocation_ratio',
    'disk_available_least', 'free_disk_gb', 'free_ram_mb',
    'hypervisor_type', 'hypervisor_version', 'local_gb', 'local_gb_used',
    'memory_mb', 'memory_mb_used', 'ram_allocation_ratio', 'running_vms',
    'vcpus', 'vcpus_used',
})
#: What the names of all other stats begin with.
EXTRA = 'ext:'

#: Stats that one host or node may have.
MAX_STATS = 128
#: Characters of a name or a value.
MAX_LENGTH = 255


@dataclass(frozen=True)
class Stat:
    """Represent one stat of a host.

    :param value: None where there is none, or only one that is too old.
    :param reason: why there is none, as a clause that operators read.
    :param detail: age of one that is too old; continues the reason.
    """

    value: Value | None
    reason: str = ''
    detail: str = ''

    @property
    def text(self) -> str:
        """Return the value as users write it; empty without one."""
        return '' if self.value is None else format_value(self.value)


def format_value(value: Value) -> str:
    """Return a value as users write it: ``true``, ``7.5``, ``ssd``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
