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
#: Prefix of the names of all other stats.
EXTRA = 'ext:'

#: Maximum number of stats of one host or node.
MAX_STATS = 128
#: Maximum length of a name or a value, in characters.
MAX_LENGTH = 255


@dataclass(frozen=True)
class Stat:
    """Represent one stat of a host.

    :param value: None if the stat is absent or too old.
    :param reason: why there is no value, as a clause for operators.
    :param detail: age of a value that is too old. Continues the reason.
    """

    value: Value | None
    reason: str = ''
    detail: str = ''

    @property
    def text(self) -> str:
        """Return the value as users write it, or an empty string."""
        return '' if self.value is None else format_value(self.value)


def format_value(value: Value) -> str:
    """Return a value as users write it: ``true``, ``7.5``, ``ssd``."""
    return str(value).lower() if isinstance(value, bool) else str(value)
