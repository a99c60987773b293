"""Rehearsals by the engine, each compared with the moves that follow."""

import unittest
from importlib import metadata

from nova_ext.core.rpc.rehearsal import MoveOutcome
from tests.functional.mirrored import RefreshedByTests
from tests.functional_rpc import test_rehearsal


@unittest.skipIf(
    int(metadata.version('nova').partition('.')[0]) < 33,
    'a mirror needs Nova 33 or later',
)
class EngineTestCase(test_rehearsal.RehearsalTestCase):
    """The mirror has all hosts."""

    def configure(self):
        """Have the mirror read when it is asked."""
        super().configure()
        self.useFixture(RefreshedByTests())
        self.flags(
            group='nova_ext', mirror='on', mirror_refresh_s=3600,
            mirror_max_age_s=3600, mirror_verify_percent=0,
        )
        self.flags(service_down_time=3600)

    def setUp(self):
        """Read all hosts once."""
        super().setUp()
        self.scheduler._mirror.refresh()

    def rehearse(self, *args, before=(), **kwargs):
        """Rehearse; the engine decides whatever is asked of a scheduler.

        Nova's code decides later steps of a rolling upgrade.
        """
        moves = super().rehearse(*args, before=before, **kwargs)
        for move in moves:
            self.assertEqual(
                not before and move.outcome != MoveOutcome.REFUSED,
                move.by_engine, move,
            )
        return moves


class EngineLossTest(EngineTestCase, test_rehearsal.LossTest):
    """A host is lost."""


class EngineDrainTest(EngineTestCase, test_rehearsal.DrainTest):
    """A host is drained."""
