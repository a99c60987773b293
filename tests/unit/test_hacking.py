"""The rules of HACKING.rst that .ci/hacking.py checks."""

import importlib.util
import pathlib
import re

import testtools

ROOT = pathlib.Path(__file__).parents[2]


def load():
    """Import the script."""
    spec = importlib.util.spec_from_file_location(
        'hacking', ROOT / '.ci' / 'hacking.py'
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


hacking = load()


class HackingTest(testtools.TestCase):
    """What breaks a rule, and what does not."""

    def test_documented(self):
        """Each rule that is checked is described."""
        self.assertEqual(
            sorted(hacking.read_baseline()),
            re.findall(r'^\* (N\d+):', (ROOT / 'HACKING.rst').read_text(),
                       re.MULTILINE),
        )

    def check(self, text, path='nova_ext/hosts.py'):
        """Return the rules that a module breaks, and where."""
        return [
            (rule, line) for rule, line, _ in
            hacking.check_module(pathlib.PurePath(path), text)
        ]

    def test_names(self):
        """Whatever gives something a name."""
        for text in (
            'd = 1', 'def of(): ...', 'def f(told): ...', 'class made: ...',
            'import a as d', 'self.asked = 1', 'for found in x: ...',
        ):
            self.assertEqual([('N302', 1)], self.check(text), text)
        self.assertEqual([], self.check('x = told.of(d, made=1)'))

    def test_modules(self):
        """Modules and packages that may hold anything, and long ones."""
        for path in 'nova_ext/utils.py', 'nova_ext/common/hosts.py':
            self.assertEqual([('N301', 1)], self.check('', path))
        self.assertEqual([('N304', 300)], self.check('\n' * 300))
        self.assertEqual([], self.check('\n' * 299))

    def test_phrases(self):
        """Phrases that must be read twice, also over lines."""
        self.assertEqual(
            [('N303', 2, 'of which'), ('N303', 3, 'so many')],
            list(hacking.check_text('x\na host of\n which so many know\n')),
        )
        self.assertEqual([], list(hacking.check_text('proof which, so.many')))

    def test_classes(self):
        """A second class of a name."""
        self.assertEqual(
            [('b.py', ('N305', 2, 'Answer is also in a.py'))],
            list(hacking.check_classes({
                'a.py': 'class Answer: ...', 'b.py': '\nclass Answer: ...',
            })),
        )

    def test_notes(self):
        """A note's section that reno does not know, and an id of another."""
        self.assertEqual([
            ('b-0123456789abcdef.yaml',
             ('N306', 1, '0123456789abcdef is also of '
              'a-0123456789abcdef.yaml')),
            ('b-0123456789abcdef.yaml', ('N306', 2, 'no section: fix')),
        ], list(hacking.check_notes({
            'a-0123456789abcdef.yaml': '---\nfixes:\n  - |\n    of: it\n',
            'b-0123456789abcdef.yaml': '---\nfix:\n  - Text: here\n',
        })))
