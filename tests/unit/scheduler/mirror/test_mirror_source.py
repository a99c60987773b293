"""Decide from the mirror, or leave the request to Nova."""

from unittest import mock

import testtools
from nova import exception

from nova_ext import testing
from nova_ext.core.base.mode import Mode
from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.core.decision.fallback import Fallback, FallbackError
from nova_ext.scheduler.claims.claim import ReleaseReason
from nova_ext.scheduler.cycle import cycle
from nova_ext.scheduler.mirror.mirror_source import MirrorSource

CANDIDATE = {'allocations': {'p1': {}}}


class Request:
    """Decide for the mirror, until it gives up."""

    def __init__(self, claimed=()):
        self.claimed = list(claimed)
        self.unanswered = set()
        self.resources = 'resources'
        self.mirror_check = MirrorCheck(decides=True)
        self.is_complete = False
        self.placed = 0

    @property
    def decides(self):
        """Say whether it has not given up."""
        return not self.mirror_check.fallback

    def give_up(self, error):
        """Leave the request to Nova."""
        self.mirror_check.fallback = error.fallback

    def note_placed(self):
        """Count it."""
        self.placed += 1

    def restore_group(self):
        """Do nothing."""


class ScheduleTest(testtools.TestCase):
    """Schedule two servers."""

    def setUp(self):
        """Have a request decide, and placement accept its claims."""
        super().setUp()
        self.request = Request()
        self.client = mock.Mock(**{
            'claim_pending.return_value': True,
            'get_allocation_candidates.return_value':
                ([CANDIDATE], {'p1': 'summary'}, '1.36'),
        })
        self.mirror = mock.Mock()
        self.seen = []

    def schedule(self, *answers):
        """Schedule; return what comes of it.

        :param answers: what Nova's method does each time.
        """
        answers = list(answers)

        def novas(context, spec, servers, *candidates, **kwargs):
            self.seen.append((cycle.get_current().mirrored, candidates))
            answer = answers.pop(0)
            if isinstance(answer, Exception):
                raise answer
            return answer

        current = cycle.Cycle(
            Mode.SCHEDULER, testing.make_request(), ['s1', 's2'],
            mirrored=self.request,
        )
        with cycle.running(current):
            return MirrorSource(self.mirror).schedule(
                novas, self.client, 'context', current.spec, current.servers,
                'mine', 'summaries', 'version', 'alternates',
            )

    def test_decided(self):
        """What the mirror decides is claimed, and noted."""
        self.assertEqual('selections', self.schedule('selections'))
        self.assertEqual(1, self.request.placed)
        self.assertEqual(1, len(self.seen))

    def assert_left_to_nova(self, reason):
        """Nova decided from placement's candidates, and nothing is claimed."""
        self.assertEqual(reason, self.request.mirror_check.fallback)
        _, (by_provider, *others) = self.seen[-1]
        self.assertEqual({'p1': [CANDIDATE]}, by_provider)
        self.assertEqual([{'p1': 'summary'}, '1.36', 'alternates'], others)
        self.client.release.assert_called_once_with(
            'context', {'s1', 's3'}, ReleaseReason.FALLBACK
        )

    def test_gives_up(self):
        """What was claimed, or may be, is given back before Nova decides."""
        self.request.claimed.append('s1')
        self.request.unanswered.add('s3')
        self.assertEqual('Nova\'s', self.schedule(
            FallbackError(Fallback.REBUILD), 'Nova\'s'
        ))
        self.assert_left_to_nova(Fallback.REBUILD)

    def test_no_host(self):
        """Nova is asked before a request fails."""
        self.request.claimed.append('s1')
        self.request.unanswered.add('s3')
        self.assertRaises(
            exception.NoValidHost, self.schedule,
            exception.NoValidHost(reason=''), exception.NoValidHost(reason=''),
        )
        self.assert_left_to_nova(Fallback.NO_HOST)

    def test_refused_together(self):
        """Another request claims for one server after the other."""
        self.client.claim_pending.side_effect = [False, True]
        self.request.unanswered.add('s3')
        second = self.mirror.begin.return_value = Request()
        self.assertEqual('selections', self.schedule('first', 'selections'))
        self.assertEqual(
            [self.request, second], [request for request, _ in self.seen]
        )
        self.assertFalse(self.mirror.begin.call_args.kwargs['together'])
        self.assertEqual({'s3'}, second.unanswered)
        self.assertEqual((0, 1), (self.request.placed, second.placed))

    def test_not_deleted(self):
        """Claims are given back where one can't be deleted."""
        self.request.claimed.append('s1')
        self.assertRaises(
            exception.AllocationDeleteFailed, self.schedule,
            exception.AllocationDeleteFailed(consumer_uuid='s', error='e'),
        )
        self.client.release.assert_called_once_with(
            'context', ['s1'], ReleaseReason.FAILED
        )


class KeepTest(testtools.TestCase):
    """A driver leaves no host."""

    def keep(self, request, hosts):
        """Take what a driver left."""
        current = cycle.Cycle(Mode.SCHEDULER, None, mirrored=request)
        with cycle.running(current):
            MirrorSource(None).keep(hosts)

    def test_none(self):
        """The mirror gives up while a server has no host."""
        request = Request()
        self.assertRaises(FallbackError, self.keep, request, [])
        kept = []
        request.is_complete, request.keep = True, kept.append
        self.keep(request, [])
        self.assertEqual([[]], kept)
        # Nova decides, and has none either.
        request.give_up(FallbackError(Fallback.NO_HOST))
        self.keep(request, [])
        self.assertEqual([[]], kept)
