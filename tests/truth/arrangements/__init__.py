"""Arrange a cloud, a class for each thing; situations import them from here.

Each has a method ``arrange`` that makes it and tells the stage how to undo it.
"""

from tests.truth.arrangements.hosts import (
    Aggregate,
    Disabled,
    Down,
    Enabled,
    Full,
)
from tests.truth.arrangements.inventories import (
    Inventory,
    ResourceClass,
    Trait,
)
from tests.truth.arrangements.nodes import Child, Node, Numa
from tests.truth.arrangements.servers import (
    Done,
    Group,
    Image,
    Server,
    Shelved,
)

__all__ = [
    'Aggregate', 'Child', 'Disabled', 'Done', 'Down', 'Enabled', 'Full',
    'Group', 'Image', 'Inventory', 'Node', 'Numa', 'ResourceClass', 'Server',
    'Shelved', 'Trait',
]
