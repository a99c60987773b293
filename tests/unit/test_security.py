"""Hold SECURITY.rst to the tests that it names."""

import ast
import re
from pathlib import Path

import testtools

ROOT = Path(__file__).parents[2]
_TEST = re.compile(r'``(tests(?:[.]\w+)+)[.](\w+)[.](test_\w+)``')


class SecurityTest(testtools.TestCase):
    """Look for the tests; nothing is imported."""

    def test_named_tests(self):
        """Each is there."""
        named = _TEST.findall((ROOT / 'SECURITY.rst').read_text())
        self.assertGreater(len(named), 5)
        for module, class_name, method in named:
            path = ROOT / f'{module.replace(".", "/")}.py'
            tree = ast.parse(path.read_text())
            self.assertIn((class_name, method), {
                (each.name, part.name) for each in tree.body
                if isinstance(each, ast.ClassDef)
                for part in each.body if isinstance(part, ast.FunctionDef)
            })
