"""Draw hostile values, documents and bytes from a seed."""

import copy
import json
import os
import random
import sys
from collections import Counter

VARIABLE = 'NOVA_EXT_HOSTILE_SEED'
SEED = int(os.environ.get(VARIABLE, '1'))

_DEEP = []
for _ in range(300):
    _DEEP = [_DEEP]

#: What stands in place of a part of a document.
VALUES = (
    None, True, -1, 0, 1.5, 2**31, 2**63, 10**30, float('nan'), float('inf'),
    '', '\0', ' ', '\n', 'x' * 300, 'x' * 70_000, '\ud800', '\U0001f600' * 99,
    '../../../etc/passwd', '%s%n{0}', "' OR 1=1 --", '<script>', 'req-1',
    '00000000-0000-0000-0000-000000000000', '2026-11-21T12:00:00.000Z',
    [], {}, [[]], [None], {'': ''}, {'\ud800': 1}, _DEEP, [''] * 2000,
    dict.fromkeys(map(str, range(2000)), 0),
)


def open_dice(name):
    """Return the chances of one test."""
    return random.Random(f'{SEED} {name}')  # noqa: S311


def spoil(document, dice):
    """Return a copy of a document in which one to three parts are wrong."""
    document = copy.deepcopy(document)
    for _ in range(dice.randint(1, 3)):
        parent, key = dice.choice([*_list_parts(document)] or [(None, None)])
        if parent is None or dice.random() < 0.02:
            return dice.choice(VALUES)
        kind = dice.random()
        if kind < 0.7:
            parent[key] = copy.deepcopy(dice.choice(VALUES))
        elif kind < 0.8:
            del parent[key]
        elif isinstance(parent, dict):
            parent[dice.choice(('x', '', '__class__', f'{key}s'))] = (
                copy.deepcopy(parent[key])
            )
        else:
            times = dice.choice((1, 1000)) if len(str(parent)) < 500 else 1
            parent.extend(copy.deepcopy(parent) * times)
    return document


def spoil_bytes(data, dice):
    """Return bytes that are cut, doubled or changed somewhere."""
    data = bytearray(data)
    for _ in range(dice.randint(1, 3)):
        place = dice.randrange(len(data) + 1)
        kind = dice.random()
        if kind < 0.2:
            del data[place:]
        elif kind < 0.4:
            data[place:place] = data[place:place + dice.randint(1, 200)]
        elif kind < 0.6:
            data[place:place] = dice.choice(
                (b'\0', b'\xff\xfe', b'\xed\xa0\x80', b'\n', b'"', b'{', b'[')
            )
        elif place < len(data):
            data[place] ^= 1 << dice.randrange(8)
    return bytes(data)


def to_json(document):
    """Return a document as bytes, as another program may write it."""
    return json.dumps(document).encode()


def count(what, counts):
    """Print how often something was sent, and how it was answered."""
    counts = Counter(counts)
    listed = ', '.join(
        f'{number} {name}' for name, number in sorted(
            counts.items(), key=lambda item: (-item[1], str(item[0]))
        )
    )
    # Nova's tests capture the other.
    print(f'{what}: {counts.total()} sent: {listed}', file=sys.__stdout__,
          flush=True)


def _list_parts(document):
    """Yield each part of a document as what holds it and its key."""
    pairs = (
        document.items() if isinstance(document, dict)
        else enumerate(document) if isinstance(document, list) else ()
    )
    for key, value in pairs:
        yield document, key
        yield from _list_parts(value)
