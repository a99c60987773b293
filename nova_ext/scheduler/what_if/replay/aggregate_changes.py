"""Change the metadata of aggregates, as ``openstack aggregate set`` does."""

from dataclasses import dataclass
from typing import Any

#: Metadata from which Nova's prefilters write the query to placement.
_QUERIED = ('availability_zone', 'filter_tenant_id', 'trait:')


@dataclass(frozen=True)
class AggregateChange:
    """Represent one changed key.

    :param aggregate: name or UUID.
    :param value: None: the key is removed.
    """

    aggregate: str
    key: str
    value: str | None = None

    def apply(self, aggregate: Any) -> None:
        """Change Nova's aggregate, if it is the one."""
        if self.aggregate in (aggregate.name, aggregate.uuid):
            metadata = dict(aggregate.metadata)
            metadata.pop(self.key, None)
            if self.value is not None:
                metadata[self.key] = self.value
            aggregate.metadata = metadata

    @property
    def changes_query(self) -> bool:
        """Say whether placement would be asked something else."""
        return self.key.startswith(_QUERIED)
