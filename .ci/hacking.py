#!/usr/bin/env python3
"""Check the rules of HACKING.rst that begin with N.

``hacking-baseline`` says how often the tree breaks each rule. More is an
error; ``--lower`` writes down that it is less.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePath

BASELINE = Path(__file__).with_name('hacking-baseline')
MODULES = re.compile(r'utils?|common|helpers?|misc')
NAMES = {'told', 'of', 'made', 'found', 'asked', 'd'}
PHRASES = re.compile(
    r'\bof\s+which\b|\bthat\s+comes?\s+of\b|\bcomes?\s+of\s+it\b'
    r'|\bso\s+many\b|\bso\s+long\s+ago\b|\bas\s+it\s+leaves\s+it\b',
    re.IGNORECASE,
)
MAX_LINES = 300
#: reno's.
SECTIONS = {
    'prelude', 'features', 'issues', 'upgrade', 'deprecations', 'critical',
    'security', 'fixes', 'other',
}

Fault = tuple[str, int, str]


def check_text(text: str) -> Iterator[Fault]:
    """Find phrases that must be read twice (N303)."""
    for match in PHRASES.finditer(text):
        line = text.count('\n', 0, match.start()) + 1
        yield 'N303', line, ' '.join(match[0].split())


def check_module(path: PurePath, text: str) -> Iterator[Fault]:
    """Find bad names and long files (N301, N302, N304)."""
    for part in (*path.parent.parts, path.stem):
        if MODULES.fullmatch(part):
            yield 'N301', 1, part
    lines = text.count('\n')
    if lines >= MAX_LINES:
        yield 'N304', lines, f'{lines} lines'
    for node in ast.walk(ast.parse(text)):
        if name := NAMES & set(_list_names(node)):
            yield 'N302', getattr(node, 'lineno', 1), name.pop()


def _list_names(node: ast.AST) -> list[str | None]:
    """Return the names that a node gives to something."""
    match node:
        case ast.Name(ctx=ast.Store()):
            return [node.id]
        case ast.Attribute(ctx=ast.Store()):
            return [node.attr]
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.arg():
            return [node.arg]
        case ast.alias():
            return [node.asname]
    return []


def check_classes(texts: dict[str, str]) -> Iterator[tuple[str, Fault]]:
    """Find classes with the name of a class of another module (N305)."""
    first: dict[str, str] = {}
    for path, text in texts.items():
        for node in ast.parse(text).body:
            if not isinstance(node, ast.ClassDef):
                continue
            if first.setdefault(node.name, path) != path:
                yield path, ('N305', node.lineno,
                             f'{node.name} is also in {first[node.name]}')


def check_notes(texts: dict[str, str]) -> Iterator[tuple[str, Fault]]:
    """Find release notes that reno would lose or mix up (N306).

    ``reno lint`` looks for the same, and reads all of git's history for it.
    """
    first: dict[str, str] = {}
    for path, text in texts.items():
        # The last of a file's name is what reno knows a note by.
        note_id = PurePath(path).stem[-16:]
        if first.setdefault(note_id, path) != path:
            yield path, ('N306', 1, f'{note_id} is also of {first[note_id]}')
        for number, line in enumerate(text.splitlines(), 1):
            section = re.match(r'([^\s#:-][^:]*):', line)
            if section and section[1] not in SECTIONS:
                yield path, ('N306', number, f'no section: {section[1]}')


def check_tree() -> Iterator[tuple[str, Fault]]:
    """Find all faults, each with the path of its file."""
    texts = {
        str(path): path.read_text() for path in sorted([
            *Path().glob('*.rst'), *Path('nova_ext').rglob('*.py'),
            *Path('doc/source').rglob('*.rst'),
            *Path('releasenotes/notes').glob('*.yaml'),
        ]) if path.name != 'HACKING.rst'
    }
    modules = {
        path: text for path, text in texts.items() if path.endswith('.py')
    }
    for path, text in texts.items():
        for fault in check_text(text):
            yield path, fault
    for path, text in modules.items():
        for fault in check_module(PurePath(path), text):
            yield path, fault
    yield from check_classes(modules)
    yield from check_notes({
        path: text for path, text in texts.items() if path.endswith('.yaml')
    })


def read_baseline() -> dict[str, int]:
    """Return how many faults of each rule are known."""
    return {
        rule: int(count)
        for rule, count in map(str.split, BASELINE.read_text().splitlines())
    }


def main() -> int:
    """Compare the tree with the baseline; returns the exit status."""
    known, faults = read_baseline(), list(check_tree())
    counts = Counter(fault[0] for _, fault in faults)
    more = {rule for rule in known if counts[rule] > known[rule]}
    for path, (rule, line, words) in faults:
        if rule in more:
            print(f'{path}:{line}: {rule} {words}')
    for rule, count in known.items():
        if counts[rule] != count:
            print(f'{rule}: {counts[rule]}, {count} are known')
    if '--lower' in sys.argv:
        BASELINE.write_text(''.join(
            f'{rule} {min(count, counts[rule])}\n'
            for rule, count in known.items()
        ))
    return 1 if more else 0


if __name__ == '__main__':
    sys.exit(main())
