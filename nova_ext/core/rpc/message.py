"""Convert what a client sends to plain data, and back."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Self

from nova_ext.core.base import plain_data
from nova_ext.core.base.scheduling_errors import WrongArgumentsError


@dataclass(frozen=True)
class Message:
    """Serve as base of what crosses RPC in an argument.

    A scheduler refuses a field that it does not know: without it the request
    would be another one.
    """

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Build the object from plain data.

        :raises WrongArgumentsError: for unknown fields, wrong types, or text
            that is no Unicode.
        """
        try:
            # No database takes half of a surrogate pair, which JSON can hold.
            json.dumps(data, ensure_ascii=False).encode()
            return plain_data.load(cls, data, strict=True)
        except UnicodeEncodeError:
            raise WrongArgumentsError(
                f'{cls.__name__}: a text holds half of a surrogate pair'
            ) from None
        except TypeError as error:
            raise WrongArgumentsError(f'{cls.__name__}: {error}') from None

    def to_dict(self) -> dict[str, Any]:
        """Return all fields as plain data."""
        return asdict(self)
