"""Change core in one place at a time, and run its unit tests.

The tests of the changed module run first, those of all of core if they pass.

``python -m tests.mutation [--mutants N] [--seed N]``
"""

import argparse
import ast
import copy
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: The share of mutants that the tests have to notice.
LEAST = 0.8
#: Seconds in which a module's tests end.
TIMEOUT_S = 300

_OPPOSITE: dict[type, type] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add,
}


def mutate(node: ast.AST) -> ast.AST | None:
    """Return a node that means something else, or None."""
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[operator]) if type(operator) in _OPPOSITE:
            new.ops = [_OPPOSITE[type(operator)]()]
        case ast.BoolOp() | ast.BinOp() if type(new.op) in _OPPOSITE:
            new.op = _OPPOSITE[type(new.op)]()
        case ast.UnaryOp(op=ast.Not()):
            return new.operand
        case ast.IfExp():
            return new.body
        case ast.Constant(value=bool()):
            new.value = not new.value
        case ast.Constant(value=int()):
            new.value += 1
        case _:
            return None
    return new


def find_mutants(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line of each change, and the module's text with it."""
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            nodes = value if isinstance(value, list) else [value]
            for index, node in enumerate(nodes):
                new = isinstance(node, ast.AST) and mutate(node)
                if not new:
                    continue
                changed = (
                    [*value[:index], new, *value[index + 1:]]
                    if isinstance(value, list) else new
                )
                setattr(parent, field, changed)
                yield node.lineno, ast.unparse(tree)
                setattr(parent, field, value)


def list_mutants() -> list[tuple[Path, int, str, str]]:
    """Return all mutants of core's modules that have a test module."""
    mutants = []
    for path in sorted((ROOT / 'nova_ext' / 'core').rglob('*.py')):
        module = path.relative_to(ROOT)
        tests = Path('tests', 'unit', *module.parts[1:-1],
                     f'test_{module.name}')
        if (ROOT / tests).exists():
            name = '.'.join(tests.with_suffix('').parts)
            mutants += [
                (module, line, text, name)
                for line, text in find_mutants(ast.parse(path.read_text()))
            ]
    return mutants


def is_noticed(copied: Path, module: Path, text: str, tests: str) -> bool:
    """Say whether tests fail with this text of a module."""
    original = (copied / module).read_text()
    (copied / module).write_text(text)
    try:
        return any(_fail(copied, words) for words in (
            [tests], ['discover', '-s', 'tests/unit/core', '-t', '.'],
        ))
    finally:
        (copied / module).write_text(original)


def _fail(copied: Path, words: list[str]) -> bool:
    try:
        return subprocess.run(
            [sys.executable, '-B', '-m', 'unittest', *words, '-f'],
            cwd=copied, capture_output=True, timeout=TIMEOUT_S, check=False,
        ).returncode != 0
    except subprocess.TimeoutExpired:
        return True


def main() -> int:
    """Try a sample; returns 1 where too few mutants are noticed."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--mutants', type=int, default=100)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    mutants = list_mutants()
    sample = random.Random(options.seed).sample(  # noqa: S311
        mutants, min(options.mutants, len(mutants))
    )
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder)
        for name in ('nova_ext', 'tests'):
            shutil.copytree(ROOT / name, copied / name,
                            ignore=shutil.ignore_patterns('__pycache__'))
        module, _, _, tests = sample[0]
        if is_noticed(copied, module, (ROOT / module).read_text(), tests):
            sys.exit('core\'s unit tests fail with no change at all')
        for module, line, text, tests in sample:
            if not is_noticed(copied, module, text, tests):
                survivors.append(f'{module}:{line}')
                print(f'{module}:{line}: not noticed', flush=True)
    noticed = len(sample) - len(survivors)
    print(f'{noticed} of {len(sample)} mutants were noticed, '
          f'of {len(mutants)}, seed {options.seed}')
    return 0 if noticed >= LEAST * len(sample) else 1


if __name__ == '__main__':
    sys.exit(main())
