"""Hold what hosts have at one moment, for one request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

#: Amounts by resource class, by the UUID of the resource provider.
Amounts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Host:
    """Represent a host that passed the filters for a first server.

    :param name: its name in the record.
    :param candidates: what one server may take, one way or another, in
        placement's order.
    :param limits: how many more servers each filter lets onto it, by the
        filter's name, in the order of the filters; no limit is no entry.
    """

    name: str
    candidates: Sequence[Amounts]
    limits: Mapping[str, int] = field(default_factory=dict)

