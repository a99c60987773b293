"""Ask the cloud each question at its interval, one after the other."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from nova_ext.cli.cloud import describe
from nova_ext.core.base.errors import NovaExtError
from nova_ext.metrics import capacity, losses, placement
from nova_ext.metrics.answers import Answers, CloudQuestion, Sample
from nova_ext.metrics.cloud_client import CloudClient, find_reason

#: Seconds between two looks at what is due.
LOOK_S = 0.2

LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class AskingPlan:
    """Represent what is asked, and how often.

    :param cloud: name of the cloud in clouds.yaml.
    :param interval_s: seconds between two questions for capacity.
    :param loss_interval_s: the same for losses and the empty cloud; 0: they
        are not asked for.
    :param flavors: names; none: all public flavors.
    :param rack_key: key of aggregates' metadata that names a rack; empty:
        no rack's loss is rehearsed.
    """

    cloud: str
    interval_s: float
    loss_interval_s: float
    flavors: Sequence[str] = ()
    rack_key: str = ''


class _EndedError(BaseException):
    """End a question in the middle: the exporter ends."""


class Asker:
    """Ask in a thread of its own.

    One question at a time: each costs a scheduler time. Capacity is asked
    between two losses, too.

    :param end: set to end it.
    :raises NovaExtError: for a cloud that is not there.
    """

    def __init__(self, plan: AskingPlan, end: threading.Event) -> None:
        self._end = end
        self._interval_s = plan.interval_s
        self._loss_interval_s = plan.loss_interval_s
        cloud = CloudClient(plan.cloud, self._check)
        rooms = placement.Rooms()
        self._often: dict[CloudQuestion, Callable[[], Iterable[Sample]]] = {
            CloudQuestion.CAPACITY: lambda: capacity.ask(
                cloud, plan.flavors, rooms
            ),
        }
        self._seldom: dict[CloudQuestion, Callable[[], Iterable[Sample]]] = {}
        if plan.loss_interval_s:
            self._seldom = {
                CloudQuestion.EMPTY_CLOUD: lambda: capacity.ask_empty(
                    cloud, plan.flavors
                ),
                CloudQuestion.HOST_LOSS: lambda: losses.ask_hosts(cloud),
            }
            if plan.rack_key:
                self._seldom[CloudQuestion.RACK_LOSS] = (
                    lambda: losses.ask_racks(cloud, plan.rack_key)
                )
        self.answers = Answers([*self._often, *self._seldom])
        self._due: dict[CloudQuestion, float] = {}
        self._is_asking_often = False

    def start(self) -> None:
        """Ask until the end; an answer on its way is not waited for."""
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        try:
            while True:
                self._check()
                self._ask_due(self._seldom, self._loss_interval_s)
                self._end.wait(LOOK_S)
        except _EndedError:
            pass

    def _check(self) -> None:
        """Do what is due before another question is sent."""
        if self._end.is_set():
            raise _EndedError
        if not self._is_asking_often:
            self._is_asking_often = True
            try:
                self._ask_due(self._often, self._interval_s)
            finally:
                self._is_asking_often = False

    def _ask_due(
        self, questions: dict[CloudQuestion, Callable[[], Iterable[Sample]]],
        interval_s: float,
    ) -> None:
        for question, ask in questions.items():
            if self._due.get(question, 0.0) <= time.monotonic():
                self._ask(question, ask)
                self._due[question] = time.monotonic() + interval_s

    def _ask(
        self, question: CloudQuestion, ask: Callable[[], Iterable[Sample]]
    ) -> None:
        began, begun_at = time.monotonic(), time.time()
        try:
            samples = list(ask())
        # Whatever a library raises, the next attempt may succeed.
        except Exception as error:
            if self.answers.fail(question, find_reason(error)):
                LOG.warning(
                    'No answer about %s: %s', question.replace('_', ' '),
                    error if isinstance(error, NovaExtError)
                    else describe(error),
                )
        else:
            self.answers.put(
                question, samples, begun_at, time.monotonic() - began
            )
