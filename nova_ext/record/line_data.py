"""Read the data of a record's lines.

Users' and peers' texts are in it, with surrogates perhaps, which no database,
terminal or answer takes: U+FFFD stands for them.
"""

import json
import re
from typing import Any

_SURROGATE = re.compile('[\ud800-\udfff]')
#: Valid pairs too, which stay.
_ESCAPED = re.compile(r'\\u[dD][89a-fA-F]')


def decode(line: bytes) -> str:
    """Return the text of a line, which can be encoded.

    :raises ValueError: for a line that is no UTF-8.
    """
    return _replace(line.decode(errors='surrogatepass'))


def load(line: bytes) -> Any:
    """Return the data of a line, whose texts can be encoded.

    :raises ValueError, RecursionError: for a line that is no JSON.
    """
    text = decode(line)
    data = json.loads(text)
    if _ESCAPED.search(text):
        data = json.loads(_replace(json.dumps(data, ensure_ascii=False)))
    return data


def _replace(text: str) -> str:
    return _SURROGATE.sub('\N{REPLACEMENT CHARACTER}', text)
