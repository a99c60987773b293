"""What demonstrations expected, and what they found."""

import io

from nova_ext.lab.demo import demo_output
from tests.unit.lab import base


class ShownTest(base.LabTestCase):
    """Beside each other, and no command without its words."""

    def setUp(self):
        """A lab, and where it is shown."""
        super().setUp()
        self.out = io.StringIO()
        self.shown = demo_output.Shown(*self.new_lab('a'), self.out)

    def test_check(self):
        """Only what is as expected is right, or begins so before a ``*``."""
        self.shown.check('one', 'ACTIVE on a', 'ACTIVE on b')
        self.shown.check('two', 'ACTIVE on a-*', 'ACTIVE on a-1')
        self.shown.check('three', 'ERROR', 'ERROR', False)
        self.shown.check('four', 'ACTIVE on cmp-1', 'ACTIVE on cmp-10')
        self.assertEqual(
            [False, True, False, False],
            [ok for *_, ok in self.shown.findings],
        )
        self.shown.table()
        self.assertEqual(3, self.out.getvalue().count('| NO '))

    def test_command(self):
        """The words as one would type them, and all that is printed."""
        output = self.shown.command(
            'sh', '-c', 'echo $OS_CLOUD; echo b >&2', cloud='c'
        )
        self.assertEqual('c\nb', output)
        self.assertEqual(
            '\n$ OS_CLOUD=c sh -c \'echo $OS_CLOUD; echo b >&2\'\nc\nb\n',
            self.out.getvalue(),
        )
