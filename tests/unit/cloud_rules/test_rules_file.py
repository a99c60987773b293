"""Files of rules: what they say, and how they are wrong."""

import pathlib

import fixtures
import testtools

from nova_ext.cloud_rules import quantity, rules_file, verdicts
from nova_ext.core.base.errors import NovaExtError

#: One of each kind, with all that it may have.
ALL = '''\
rules:
- name: Small servers keep off
  flavor: m1.tiny
  passes on: no host
  in aggregate: gpu
  in zone: west
  for project: demo
  with image: cirros
  with hints: {rack: a}
  room: ignored
- flavor: m1.tiny
  fits: at least 5 times
  with policy: anti-affinity
- enabled filters include: [ComputeFilter]
- every multiplier set in: [nova.conf]
  is: in force
- hosts: at most 5 %
  are in no aggregate with: availability_zone
'''
#: A file, the line of its mistake, and what is said.
WRONG = (
    ('', 1, 'write rules: once'),
    ('rules: [\n', 2, 'no YAML: '),
    ('rule:\n- flavor: a\n', 1, "there is no 'rule' here; write rules:"),
    ('rules: {}\n', 1, 'rules is no list of rules'),
    ('rules:\n- m1.tiny\n', 2, 'a rule is a mapping with one of the keys'),
    ('rules:\n- flavor: a\n  pases on: no host\n', 2,
     "did you mean 'passes on'?"),
    ('rules:\n- flavor: a\n  passes on: no host\n  fits: never\n', 2,
     "it has 'passes on', 'fits'"),
    ('rules:\n- passes on: no host\n', 2, "'flavor' is missing"),
    ('rules:\n- flavour: a\n  passes on: no host\n', 2,
     "there is no 'flavour' in such a rule; did you mean 'flavor'?"),
    ('rules:\n- flavor: a\n  passes on: no host\n  in agregate: b\n', 4,
     "there is no 'in agregate' in such a rule; did you mean "
     "'in aggregate'?"),
    ('rules:\n- flavor: a\n\n  passes on: three hosts\n', 4,
     "passes on: 'three hosts'; write \"no host\", \"every host\", or"),
    ('rules:\n- flavor: a\n  passes on: 3\n', 3, 'passes on: 3; write "no'),
    ('rules:\n- flavor: [a]\n  passes on: no host\n', 2,
     "flavor: ['a'] is not a text"),
    ('rules:\n- flavor: a\n  flavor: b\n  passes on: no host\n', 3,
     "'flavor' is there twice"),
    ('rules:\n- flavor: a\n  passes on: no host\n  room: free\n', 4,
     'write "ignored"'),
    ('rules:\n- flavor: a\n  fits: 5\n', 3, 'write "never", or'),
    ('rules:\n- flavor: a\n  fits: never\n  with policy: anti-affinity\n', 3,
     'a group is tried as a whole'),
    ('rules:\n- flavor: a\n  fits: never\n  with policy: near\n', 3, ''),
    ('rules:\n- enabled filters include: ComputeFilter\n', 2,
     'write a list of names'),
    ('rules:\n- every multiplier set in: [a]\n', 2, "'is' is missing"),
    ('rules:\n- hosts: few\n  are in no aggregate with: z\n', 2,
     'write "none", "all", or'),
)


class RulesFileTest(testtools.TestCase):
    """Read files."""

    def read(self, text):
        """Write a file, and read it."""
        self.path = self.useFixture(fixtures.TempDir()).join('rules.yaml')
        pathlib.Path(self.path).write_text(text)
        return rules_file.read(self.path, verdicts.SCHEMAS)

    def test_right(self):
        """Each rule has its kind, its line and a sentence for a name."""
        rules = self.read(ALL)
        self.assertEqual(list(verdicts.KINDS), [rule.key for rule in rules])
        self.assertEqual(
            [2, 11, 14, 15, 17], [rule.location.line for rule in rules]
        )
        self.assertEqual('Small servers keep off', rules[0].name)
        self.assertEqual(
            'flavor m1.tiny, fits at least 5 times, with policy '
            'anti-affinity', rules[1].name,
        )
        self.assertEqual(
            'enabled filters include ComputeFilter', rules[2].name
        )

    def test_wrong(self):
        """File and line are named, and what is right there."""
        for text, line, said in WRONG:
            error = self.assertRaises(NovaExtError, self.read, text)
            message = str(error)
            self.assertTrue(
                message.startswith(f'{self.path}:{line}: '), (text, message)
            )
            self.assertIn(said, message)
            self.assertNotIn('\n', message)

    def test_absent(self):
        """A file that is not there, or is no text, is named."""
        for path in ('/none/rules.yaml', '/'):
            error = self.assertRaises(
                NovaExtError, rules_file.read, path, verdicts.SCHEMAS
            )
            self.assertIn(f'{path} can\'t be read: ', str(error))


class QuantityTest(testtools.TestCase):
    """Check numbers against what a rule demands."""

    def test_holds(self):
        """Numbers, shares, and numbers that are not certain."""
        for text, least, most, total, expected in (
            ('no host', 0, 0, 5, True), ('no host', 1, 1, 5, False),
            ('never', 0, 3, 0, None),
            ('every host', 5, 5, 5, True), ('every host', 4, 4, 5, False),
            ('at least 3 hosts', 3, 3, 9, True),
            ('at least 3 hosts', 2, 3, 9, None),
            ('at least 1 host', 0, 0, 9, False),
            ('at most 5 %', 1, 1, 20, True), ('at most 5 %', 1, 1, 19, False),
            ('at most 5 %', 0, 0, 0, True),
            ('at most 5', 5, 5, 1000, True), ('at most 5', 6, 6, 9, False),
            ('exactly 2 times', 2, 2, 0, True),
            ('at least 5 times', 7, float('inf'), 0, True),
            ('at most 5 times', 4, float('inf'), 0, None),
            ('none', 0, 0, 3, True), ('all', 3, 3, 3, True),
        ):
            self.assertIs(
                expected, quantity.parse(text).holds(least, most, total),
                (text, least, most),
            )
