"""Keep the newest answer to each question, as metrics."""

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector


class CloudQuestion(StrEnum):
    """Name what the cloud is asked for."""

    CAPACITY = 'capacity'
    EMPTY_CLOUD = 'empty_cloud'
    HOST_LOSS = 'host_loss'
    RACK_LOSS = 'rack_loss'


class Failure(StrEnum):
    """Name why there is no answer; no label has anything else."""

    #: No service answers, or the catalog has none.
    UNREACHABLE = 'unreachable'
    #: The credentials, or a policy.
    UNAUTHORIZED = 'unauthorized'
    BUSY = 'busy'
    TIMEOUT = 'timeout'
    #: nova-ext-api has no nova-ext-scheduler.
    NO_SCHEDULER = 'no_scheduler'
    #: The scheduler could not say of any flavor how many fit.
    UNKNOWN = 'unknown'
    #: Anything else; the exporter's log has it.
    ERROR = 'error'


@dataclass(frozen=True)
class Sample:
    """Represent one value.

    :param metric: a name of METRICS.
    :param labels: values, in the order of the metric's labels.
    """

    metric: str
    value: float
    labels: tuple[str, ...] = ()


#: Help and labels of each metric, by name.
METRICS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    'nova_ext_servers_fit': (
        'Servers of a flavor that fit: the least, where it depends on chance.',
        ('flavor',),
    ),
    'nova_ext_servers_fit_by_zone': (
        'The same in each availability zone.', ('flavor', 'zone'),
    ),
    'nova_ext_servers_fit_by_aggregate': (
        'The same in each host aggregate; a host may be in several.',
        ('flavor', 'aggregate'),
    ),
    'nova_ext_servers_fit_shared': (
        'Servers of a flavor that fit if each host is divided equally among '
        'the flavors that fit there.',
        ('flavor',),
    ),
    'nova_ext_servers_fit_empty': (
        'Servers of a flavor that would fit if there were no servers.',
        ('flavor',),
    ),
    'nova_ext_largest_flavor_memory_bytes': (
        'Memory of the largest flavor that fits; 0: none fits.',
        ('flavor',),
    ),
    'nova_ext_stranded': (
        'Units that are free on hosts on which no flavor fits.',
        ('resource_class',),
    ),
    'nova_ext_hosts': ('Compute nodes that are not disabled.', ()),
    'nova_ext_empty_hosts': (
        'Those among them that have nothing allocated.', (),
    ),
    'nova_ext_left_out': (
        'Flavors, zones and aggregates without metrics of their own.',
        ('kind',),
    ),
    'nova_ext_servers_not_back': (
        'Servers that would not come back after the worst loss.',
        ('loss', 'outcome'),
    ),
    'nova_ext_losses_rehearsed': (
        'Losses that were rehearsed, each for itself.', ('loss',),
    ),
    'nova_ext_answer_timestamp_seconds': (
        'When the newest answer was begun, in seconds since 1970.',
        ('question',),
    ),
    'nova_ext_answer_seconds': (
        'How long the newest answer took.', ('question',),
    ),
    'nova_ext_asking_fails': (
        '1 if the last attempt failed for this reason, or else 0.',
        ('question', 'reason'),
    ),
}


class Answers(Collector):
    """Show the newest answers to Prometheus, each complete.

    :param questions: those that are asked.
    """

    def __init__(self, questions: Iterable[CloudQuestion]) -> None:
        self._lock = threading.Lock()
        self._failures: dict[CloudQuestion, Failure | None]
        self._failures = dict.fromkeys(questions)
        self._samples: dict[CloudQuestion, list[Sample]] = {}

    def put(
        self, question: CloudQuestion, samples: Iterable[Sample], began: float,
        seconds: float,
    ) -> None:
        """Replace the answer to a question.

        :param began: seconds since 1970.
        :param seconds: that it took.
        """
        complete = [
            *samples,
            Sample('nova_ext_answer_timestamp_seconds', began, (question,)),
            Sample('nova_ext_answer_seconds', seconds, (question,)),
        ]
        with self._lock:
            self._samples[question] = complete
            self._failures[question] = None

    def fail(self, question: CloudQuestion, reason: Failure) -> bool:
        """Note that an attempt failed; the answer before it stays.

        :returns: whether the attempt before did not fail so.
        """
        with self._lock:
            before = self._failures[question]
            self._failures[question] = reason
        return before != reason

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics."""
        with self._lock:
            samples = [
                each for group in self._samples.values() for each in group
            ]
            samples += [
                Sample(
                    'nova_ext_asking_fails', reason == failure,
                    (question, reason),
                )
                for question, failure in self._failures.items()
                for reason in Failure
            ]
        families = {
            name: GaugeMetricFamily(name, help_, labels=labels)
            for name, (help_, labels) in METRICS.items()
        }
        for sample in samples:
            families[sample.metric].add_metric(sample.labels, sample.value)
        yield from (each for each in families.values() if each.samples)
