"""Choose what decides a rehearsal."""

from types import SimpleNamespace

import testtools

from nova_ext.scheduler.what_if.rehearse import rehearsals


class FindEngineTest(testtools.TestCase):
    """The engine decides from a snapshot, Nova's code without one."""

    def test_no_snapshot(self):
        """An engine of before decides nothing that began without one."""
        live = SimpleNamespace(
            source=SimpleNamespace(make_inputs=lambda: None)
        )
        found = rehearsals.Rehearsals(live, None)
        found._engine = SimpleNamespace(may_go_on=lambda: True)
        self.assertIs(
            found._engine, found._find_engine(is_continued=True)[0]
        )
        for is_continued in (False, True):
            self.assertEqual(
                (None, 'there is no mirror'),
                found._find_engine(is_continued=is_continued),
            )
