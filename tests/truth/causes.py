"""Know the causes that a sentence may name, to find those it should not."""

import re
from collections.abc import Iterable

#: Causes by their names: what says so, in a sentence or a reason. A cause
#: that is said and is not of the truth makes an explanation wrong.
CAUSES = {
    name: re.compile(pattern, re.IGNORECASE) for name, pattern in {
        'memory': r'\bMEMORY_MB\b|\bmemory\b(?!_page)',
        'disk': r'\bDISK_GB\b',
        'processors': r'\bVCPU\b',
        'disabled': r'\bdisabled\b|COMPUTE_STATUS_DISABLED',
        'down': r'\bdown\b',
        'zone': r'availability zone',
        'trait': r'(?-i:\b(?:CUSTOM|HW|COMPUTE)_(?!STATUS_)\w+)',
        'taken': r'taken meanwhile|claim refused|refused by placement',
        'limit': r'max_placement_results',
        'exception': r'\b\w+(?:Error|Exception)\b',
        'no answer': r'no answer|did not answer',
    }.items()
}


#: Causes of which the very word counts: another trait is another cause.
_WORDS = ('trait', 'exception')


def find(text: str) -> set[str]:
    """Return the causes that a text names: their names, or the very words."""
    return {
        match[0] if name in _WORDS else name
        for name, cause in CAUSES.items() for match in cause.finditer(text)
    }


def find_all(texts: Iterable[str]) -> set[str]:
    """Return the causes that any of the texts names."""
    return set().union(*map(find, texts))


def strip(pattern: str) -> str:
    """Return a regular expression as the words that it matches."""
    return re.sub(r'\\b|[\\()?:|]', ' ', pattern)
