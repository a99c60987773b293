"""Show which options are set, and whether values are equal, by digests.

Show values that are classes or numbers; of every other value show a keyed
digest, and forget the key.
"""

import hashlib
import hmac
import re
import secrets
from typing import Any

from nova_ext.conf import list_all_opts
from nova_ext.doctor.configuration import Configuration, Options

#: Options that are shown: the classes that decide.
_SHOWN = frozenset({
    ('filter_scheduler', 'available_filters'),
    ('filter_scheduler', 'enabled_filters'),
    ('filter_scheduler', 'weight_classes'),
    ('nova_ext', 'scheduler_driver'),
})
#: Numbers and booleans; in [DEFAULT] and the like even these may be secret.
_PLAIN = re.compile(r'-?\d+(\.\d+)?|true|false', re.IGNORECASE)
_PLAIN_GROUPS = re.compile(r'scheduler|filter_scheduler|metrics')
#: Our own options that are not secret; of others' it is not known here.
_OURS = frozenset(
    (group.name, option.dest) for group, options in list_all_opts()
    for option in options if not option.secret
)


class Digests:
    """Make digests that can be compared within one report alone."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)

    def digest(self, configuration: Configuration) -> dict[str, Any]:
        """Return every scheduler's options, by group and name."""
        return {
            'files': [str(path) for path in configuration.files],
            'options': self._options(configuration.options),
            'others': [
                {'path': path, 'options': self._options(options)}
                for path, options in configuration.others.items()
            ],
        }

    def _options(self, options: Options) -> dict[str, list[str]]:
        return {
            f'[{group}] {name}': [
                self._value(group, name, value) for value in values
            ]
            for (group, name), values in sorted(options.items())
        }

    def _value(self, group: str, name: str, value: str) -> str:
        if (group, name) in _SHOWN:
            return value
        plain = (group, name) in _OURS or _PLAIN_GROUPS.fullmatch(group)
        if plain and _PLAIN.fullmatch(value):
            return value
        digest = hmac.new(self._key, value.encode(), hashlib.sha256)
        return f'digest {digest.hexdigest()[:16]}'
