"""Read the commands of a guide, and look for what it says they print."""

import re
import shlex
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / 'doc' / 'source' / 'user'
_BLOCK = re.compile(
    r'^\.\. code-block:: (console|text)\n\n((?:   .*\n|\n)+)', re.MULTILINE
)
#: What differs from run to run: UUIDs, numbers, and the widths of columns.
_CHANGING = (
    ('[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', 'UUID'),
    (r'\d+([.,]\d+)*', 'N'), ('-{2,}', '--'), (' +', ' '),
)


@dataclass
class Command:
    """Represent a command of a guide.

    :param words: as a shell splits it.
    :param printed: the lines that stand below it.
    """

    words: list[str]
    printed: list[str] = field(default_factory=list)


def read_commands(name, kind='console', begin='', end=None):
    """Return the commands of a guide's blocks.

    :param kind: of the blocks.
    :param begin: a line that stands before them, and ``end`` one behind.
    """
    text = (_FOLDER / f'{name}.rst').read_text()
    text = text[text.index(begin):]
    text = text[:text.index(end)] if end else text
    commands = []
    for block in _BLOCK.finditer(text):
        if block[1] == kind:
            commands += _read_block(textwrap.dedent(block[2]))
    return commands


def _read_block(text):
    commands = []
    for line in text.replace('\\\n', ' ').strip().splitlines():
        if line.startswith('$ '):
            commands.append(Command(shlex.split(line[2:])))
        elif commands:
            commands[-1].printed.append(line)
    return commands


def find_missing(lines, output):
    """Return the lines of a guide that were not printed in this order.

    Each ``…`` stands for any text; numbers and UUIDs are any.
    """
    printed = [_simplify(line) for line in output.splitlines()]
    missing = []
    for line in filter(str.strip, lines):
        wanted = re.compile('.*'.join(
            map(re.escape, _simplify(line).split('…'))
        ))
        found = next((
            index for index, each in enumerate(printed)
            if wanted.fullmatch(each)
        ), None)
        if found is None:
            missing.append(line)
        else:
            del printed[:found + 1]
    return missing


def _simplify(line):
    for pattern, name in _CHANGING:
        line = re.sub(pattern, name, line)
    return line.strip()
