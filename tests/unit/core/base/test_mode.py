"""Modes, from the smallest to the largest."""

import testtools

from nova_ext.core.base.mode import Mode


class ModeTest(testtools.TestCase):
    """Compare modes."""

    def test_includes(self):
        """A mode includes itself and the smaller ones."""
        self.assertEqual(
            [[True, False, False], [True, True, False], [True, True, True]],
            [[mode.includes(needed) for needed in Mode] for mode in Mode],
        )
