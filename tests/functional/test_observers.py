"""What follows a decision decides nothing."""

import contextlib
import functools
import inspect
from unittest import mock

import fixtures
from nova import context, objects
from oslo_utils import uuidutils

from nova_ext.scheduler.base.best_effort import best_effort
from nova_ext.scheduler.plugins.traced_placement import PlacementTrace
from nova_ext.scheduler.trace.attempt import AttemptTrace
from nova_ext.scheduler.trace.trace import Trace
from tests.functional import base, mirrored

#: Where seeds are made: of Nova's draws, and of the mirror's.
SEEDS = (
    'nova_ext.scheduler.cycle.nova_source.generate_seed',
    'nova_ext.scheduler.mirror.deciding.mirrored_request.generate_seed',
)


def list_steps():
    """Return the methods of a trace, each with its class."""
    return [
        (cls, name) for cls in (Trace, PlacementTrace, AttemptTrace)
        for name, member in vars(cls).items()
        if inspect.isfunction(member) and (
            not name.startswith('_') or name == '__init__'
        )
    ]


@contextlib.contextmanager
def failing(cls, name):
    """Have a step of the trace raise, within its guard if it has one.

    :returns: a list with an item for each time that it raised.
    """
    raised = []
    method = getattr(cls, name)

    @functools.wraps(method)
    def fail(*args, **kwargs):
        raised.append(name)
        raise ZeroDivisionError('in the trace')

    is_guarded = hasattr(method, '__wrapped__')
    with mock.patch.object(
        cls, name, best_effort(fail) if is_guarded else fail
    ):
        yield raised


class FailingTraceMixin:
    """Choose hosts while one step of the trace after the other raises."""

    #: Steps that no request of these tests takes.
    untaken: frozenset[str] = frozenset()

    def choose(self):
        """Choose hosts for two servers; return them with alternates."""
        me = context.get_admin_context()
        servers = [uuidutils.generate_uuid() for _ in range(2)]
        spec = objects.RequestSpec.get_by_instance_uuid(me, self.first['id'])
        spec.num_instances, spec.requested_resources = 2, []
        try:
            chosen = self.scheduler.decider.select_destinations(
                me, spec_obj=spec, instance_uuids=servers,
                return_objects=True, return_alternates=True,
            )
        finally:
            self.scheduler.decider._cleanup_allocations(me, servers)
        return [[host.service_host for host in each] for each in chosen]

    def check(self):
        """Every step raises, and every choice is the same."""
        for place in SEEDS:
            self.useFixture(fixtures.MonkeyPatch(place, lambda: 7))
        self.first = self.boot()
        expected = self.choose()
        self.assertEqual([2, 2], list(map(len, expected)))
        taken = set()
        for cls, name in list_steps():
            with failing(cls, name) as raised:
                self.assertEqual(expected, self.choose(), name)
                # Its last steps follow the answer.
                base.wait_for_record(self)
            taken.update(raised)
        self.assertEqual(
            self.untaken, {name for _, name in list_steps()} - taken
        )


class FailingTraceTest(FailingTraceMixin, base.CloudTestCase):
    """Nova decides."""

    weight_classes = (base.STOCK_WEIGHERS,)
    enabled_filters = ('ComputeFilter',)
    untaken = frozenset({
        'add_mirrored_candidates', 'forget_attempts', 'forget', 'end_sending',
        'fail',
        'add_taken', 'end_unranked', 'add_absent_stat', 'set_driver_seed',
    })

    def test_same_hosts(self):
        """The hosts are those that Nova chooses without a failure."""
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=False
        )
        self.check()


class MirrorWithoutTraceTest(FailingTraceMixin, mirrored.MirroredTestCase):
    """The mirror decides."""

    compute_driver = 'fake.MediumFakeDriver'
    untaken = frozenset({
        'add_candidates', 'add_answer', 'forget_attempts', 'forget', 'fail',
        'add_taken', 'end_unranked', 'add_absent_stat', 'set_driver_seed',
        'add_weights',
    })

    def choose(self):
        """Choose from a mirror that knows all; it decides."""
        self.mirror.refresh()
        before = self.mirror.describe()
        chosen = super().choose()
        after = self.mirror.describe()
        self.assertEqual(before['decided'] + 1, after['decided'])
        self.assertEqual(before['fallbacks'], after['fallbacks'])
        return chosen

    def test_same_hosts(self):
        """The hosts are those that it chooses without a failure."""
        self.flags(
            group='filter_scheduler', shuffle_best_same_weighed_hosts=False
        )
        self.check()

    def test_not_recording(self):
        """It decides and verifies where nothing is recorded."""
        self.flags(group='nova_ext_record', enabled=False)
        self.mirror.refresh()
        self.boot_many(2)
        self.flags(group='nova_ext', mirror_verify_percent=100)
        self.mirror.refresh()
        self.boot()
        counts = self.mirror.describe()
        self.assertEqual(
            (1, 1, 0, {}),
            tuple(counts[name] for name in (
                'decided', 'verified', 'differing', 'fallbacks'
            )),
        )
        self.assertFalse(self.record.exists())

    def test_failing_mirror(self):
        """An error of the mirror is logged as the mirror's; Nova decides."""
        log = self.request_log()
        for name, percent in ('begin', 0), ('verify', 100):
            self.flags(group='nova_ext', mirror_verify_percent=percent)
            with mock.patch.object(
                self.mirror, name, side_effect=ZeroDivisionError
            ):
                self.boot()
        self.assertEqual(
            2, log.output.count('The mirror failed in begin; Nova decides')
        )
        self.assertNotIn('Recording failed', log.output)
