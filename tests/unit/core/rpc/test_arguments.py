"""Hold the arguments of a message to what its method takes."""

from typing import Any

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc import arguments
from nova_ext.core.rpc.boot_request import Changes

DEEP: list[Any] = []
for _ in range(arguments.MAX_DEPTH):
    DEEP = [DEEP]


class LoadTest(testtools.TestCase):
    """Load arguments that may be of any sender."""

    def refusal(self, kind, value, **limits):
        """Return why the value of an argument is refused."""
        return str(self.assertRaises(
            WrongArgumentsError, arguments.load, {'it': kind}, {'it': value},
            **limits,
        ))

    def test_kinds(self):
        """Return values of their kinds, as they came."""
        kinds = {
            'name': arguments.Name, 'serial': arguments.Serial,
            'changes': Changes, 'numbers': dict[str, float], 'any': Any,
        }
        sent = {
            'name': 'cmp-1', 'serial': 2**63 - 1,
            'changes': {'driver': 'FilterScheduler'},
            'numbers': {'ä': 1.5, 'b': 2}, 'any': [None, True, {'a': []}],
        }
        self.assertEqual(
            {**sent, 'changes': Changes(driver='FilterScheduler')},
            arguments.load(kinds, sent),
        )

    def test_other_kinds(self):
        """Refuse all else, saying what was expected."""
        for kind, value, line in (
            (arguments.Name, 7, 'it is no text of 1 to 255 characters'),
            (arguments.Name, '', 'it is no text'),
            (arguments.Name, 'x' * 256, 'it is no text'),
            (arguments.Serial, '1', 'it is no integer'),
            (arguments.Serial, True, 'it is no integer'),
            (arguments.Serial, -1, 'it is no integer'),
            (arguments.Serial, 2**63, 'it is no integer'),
            (int, True, 'it: bool where int belongs'),
            (float, False, 'it: bool where float belongs'),
            (dict[str, float], [], 'it: list where dict belongs'),
            (Changes, {'more': 1}, 'Changes has no more'),
        ):
            self.assertIn(line, self.refusal(kind, value))

    def test_no_plain_data(self):
        """Refuse what no database, log or answer can hold, at any depth."""
        for value, line in (
            ('\ud800', 'half of a surrogate pair'),
            (float('nan'), 'not finite'), (float('inf'), 'not finite'),
            (2**256, 'too large'),
        ):
            self.assertIn(line, self.refusal(Any, value))
            self.assertIn(line, self.refusal(Any, [{'a': [value]}]))
        self.assertIn('surrogate', self.refusal(Any, {'\udfff': 1}))
        self.assertIn('nested too deeply', self.refusal(Any, [DEEP]))
        # As long as its text, no deeper than Python can go.
        deepest = DEEP
        for _ in range(100_000):
            deepest = [deepest]
        self.assertIn('nested too deeply', self.refusal(Any, deepest))

    def test_size(self):
        """Refuse more than fits, all arguments and all values together."""
        arguments.load({'it': Any}, {'it': 'x' * 98}, max_size=100)
        for value in (
            'x' * 99, ['x' * 50] * 2, {'x' * 60: 'x' * 40}, [1] * 50,
            [[]] * 50,
        ):
            self.assertIn('too long', self.refusal(Any, value, max_size=100))
        self.assertRaises(
            WrongArgumentsError, arguments.load, {'a': Any, 'b': Any},
            {'a': 'x' * 60, 'b': 'x' * 60}, 100,
        )
