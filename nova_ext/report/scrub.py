"""Remove secrets and names from what leaves a site.

Replace a name by the same pseudonym wherever it stands, so that what belongs
together still does. Names have to be learned first; ids, addresses, the hosts
of URLs and home folders are found by their form.
"""

import ipaddress
import itertools
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from oslo_utils import strutils

#: Names that every cloud has.
STOCK = frozenset({
    'nova', 'internal', 'default', 'Default', 'admin', 'root', 'localhost',
    'true', 'false', 'True', 'False',
})

#: Names that are found by their form alone.
_FORMS = (
    r'(?P<uuid>[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})'
    r'|(?P<hex>(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f]))'
    r'|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)'
    r'|(?P<mac>(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2})'
    r'|(?P<address>(?:[0-9a-fA-F]*:){2,}[0-9a-fA-F.]*'
    r'|(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?!\w))'
)
_WORD = re.compile(r'\w[\w.-]*')
#: To the last @ of a word: passwords are written with / and @, too, and the
#: URL of a bus may name several brokers, each with its own.
_CREDENTIALS = re.compile(r'(://)\S*@')
_URL_HOST = re.compile(r'://(\[[^\]]+\]|[^/:\s,\]]+)')
_HOME = re.compile(r'/home/([^/\s]+)')

#: Keys of JSON objects whose own keys are names.
_NAMED = frozenset({
    'weights', 'multipliers', 'chosen', 'makers', 'details',
})


class Scrubber:
    """Replace names, the same one always by the same pseudonym."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        # Names that are no single word.
        self._phrases: list[str] = []
        self._pattern = re.compile(_FORMS)
        self._numbers: defaultdict[str, Iterator[int]] = defaultdict(
            lambda: itertools.count(1)
        )

    def learn(self, kind: str, names: Iterable[str]) -> None:
        """Learn names that are to be replaced.

        :param kind: what their pseudonyms begin with, such as ``host``.
        """
        for name in names:
            significant = name not in STOCK and any(map(str.isalnum, name))
            # A number stands for too much; addresses are found anyway.
            if significant and not name.isdigit() and name not in self._known:
                self._add(kind, name)
                if not _WORD.fullmatch(name) and not _is_address(name):
                    self._add_phrase(name)

    def scrub_text(self, text: str) -> str:
        """Return a text without secrets and names."""
        if text in self._known:
            return self._known[text]
        safe = _CREDENTIALS.sub(r'\1', strutils.mask_password(text))
        self.learn('user', _HOME.findall(safe))
        self.learn('host', (
            host.strip('[]') for host in _URL_HOST.findall(safe)
            if not _is_address(host.strip('[]'))
        ))
        parts = []
        begin = 0
        for match in self._pattern.finditer(safe):
            # A pseudonym must not be replaced again.
            parts += [self._replace_words(safe[begin:match.start()]),
                     self._replace(match)]
            begin = match.end()
        return ''.join([*parts, self._replace_words(safe[begin:])])

    def scrub_data(self, value: Any, named: bool = False) -> Any:
        """Return JSON data without secrets and names.

        :param named: the keys of an object are names, too.
        """
        if isinstance(value, str):
            return self.scrub_text(value)
        if isinstance(value, list | tuple):
            return [self.scrub_data(item) for item in value]
        if isinstance(value, dict):
            return {
                self.scrub_text(key) if named else key:
                self.scrub_data(item, named=key in _NAMED)
                for key, item in value.items()
            }
        return value

    def _add(self, kind: str, name: str) -> None:
        if _is_address(name):
            kind = 'address'
        elif kind == 'host' and '.' in name:
            short, _, domain = name.partition('.')
            self.learn('host', [short])
            self.learn('domain', [domain])
            self._known[name] = (
                f'{self._known.get(short, short)}.'
                f'{self._known.get(domain, domain)}'
            )
            return
        self._known[name] = f'{kind}-{next(self._numbers[kind])}'

    def _add_phrase(self, name: str) -> None:
        # The longest first: one may be a part of another.
        self._phrases = sorted([*self._phrases, name], key=len)[::-1]
        phrases = '|'.join(map(re.escape, self._phrases))
        self._pattern = re.compile(f'(?P<phrase>{phrases})|{_FORMS}')

    def _replace(self, match: re.Match[str]) -> str:
        kind, text = str(match.lastgroup), match[0]
        if kind == 'address' and not _is_address(text):
            return self._replace_words(text)
        if kind == 'address' and ipaddress.ip_address(text).is_loopback:
            return text
        if kind in ('uuid', 'hex'):
            kind, text = 'id', text.lower()
        if text not in self._known:
            self._add(kind, text)
        return self._known[text]

    def _replace_words(self, text: str) -> str:
        return _WORD.sub(lambda match: self._replace_word(match[0]), text)

    def _replace_word(self, word: str) -> str:
        """Replace a word, which may end a sentence."""
        bare = word if word in self._known else word.rstrip('.-')
        return self._known.get(bare, bare) + word[len(bare):]


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
