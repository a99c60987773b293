"""Mask secrets in what is recorded, logged and answered."""

import re
from collections.abc import Mapping
from typing import Any

from oslo_utils.strutils import mask_dict_password, mask_password

SECRET = '***'  # noqa: S105  what stands in a secret's place
#: Names of secrets; oslo.utils knows some of them.
_SECRET_NAME = re.compile(
    r'passw|passphrase|passcode|pwd|secret|credential|token|authoriz|cookie|bearer'
    r'|(^|[_-])(pass|keys?)$|(api|access|private|ssh|ssl|encryption|signing)[_-]?key',
    re.IGNORECASE,
)
#: User and password of a URL, to the last @ of a word: some passwords hold
#: one, or a slash, and one URL may name several servers. And other secrets.
_CREDENTIALS = re.compile(r'(://)\S*(@)|(\bBearer\s+|\bAuthorization:\s*\w+\s+'
    r'|\bCookie:\s*|(?:secret|token|passphrase|pwd)\w*\s*[:=]\s*)[\w.~+/=-]+',
    re.IGNORECASE)


def mask_passwords(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by name, with passwords and other secrets masked.

    oslo.utils masks by names of OpenStack's own, no URL, and in the release
    of Nova 31 nothing in lists, as the values of a request spec's hints are.
    """
    return {
        name: SECRET if value and _SECRET_NAME.search(str(name))
        else mask(value)
        for name, value in mask_dict_password(values).items()
    }


def mask(value: Any) -> Any:
    """Return a value with the passwords in it masked."""
    if isinstance(value, str):
        return _CREDENTIALS.sub(rf'\1\3{SECRET}\2', mask_password(value))
    if isinstance(value, Mapping):
        return mask_passwords(value)
    if isinstance(value, list | tuple):
        return [mask(item) for item in value]
    return value
