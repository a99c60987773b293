"""Send requests of several clients at once."""

import time
from concurrent import futures
from dataclasses import dataclass, field

from tests.bench.select.specs import make_spec


@dataclass
class Outcome:
    """Hold what came of some requests.

    :ivar answers: of each request: the seconds that it took, the hosts, and
        the seconds of its stages as its placement client saw them.
    :ivar stages: seconds of the stages of each request.
    :ivar conflicts: answers of placement with HTTP 409, by its code.
    :ivar failures: how many ended without a host.
    :ivar wall_s: the seconds that all took.
    :ivar cpu_s: the processor's seconds of other processes than this one.
    :ivar client_s: the processor's seconds in which requests were made.
    """

    answers: list = field(default_factory=list)
    stages: list = field(default_factory=list)
    conflicts: dict = field(default_factory=dict)
    failures: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0
    client_s: float = 0.0

    def add(self, other):
        """Add what came of others, which were sent at the same time."""
        self.answers += other.answers
        self.stages += other.stages
        self.failures += other.failures
        self.wall_s = max(self.wall_s, other.wall_s)
        self.cpu_s += other.cpu_s
        self.client_s += other.client_s
        for code, count in other.conflicts.items():
            self.conflicts[code] = self.conflicts.get(code, 0) + count


def ask(contender, requests):
    """Send each client's requests one by one, all clients at once.

    :param requests: of each client: whether one wants a NUMA topology, and
        the UUIDs of its servers.
    :returns: an Outcome.
    """
    def send(some):
        answers = []
        for spec, uuids in some:
            contender.client.take_stages()
            began = time.perf_counter()
            hosts = contender.select(spec, uuids)
            spent = time.perf_counter() - began
            stages = contender.client.take_stages()
            stages['rest'] = spent - sum(stages.values())
            answers.append((spent, hosts, stages))
        return answers

    cpu_began = time.thread_time()
    made = [
        [(make_spec(with_topology), uuids)
         for with_topology, uuids in some]
        for some in requests
    ]
    client_s = time.thread_time() - cpu_began
    conflicts = dict(contender.client.conflicts)
    failures, began = contender.failures, time.perf_counter()
    if len(made) == 1:
        answers = send(made[0])
    else:
        cpu_began = time.thread_time()
        with futures.ThreadPoolExecutor(len(made)) as pool:
            answers = [
                answer for some in pool.map(send, made) for answer in some
            ]
        client_s += time.thread_time() - cpu_began
    wall_s = time.perf_counter() - began
    return Outcome(
        answers, [stages for _, _, stages in answers], {
            code: count - conflicts.get(code, 0)
            for code, count in contender.client.conflicts.items()
            if count > conflicts.get(code, 0)
        }, contender.failures - failures, wall_s, client_s=client_s,
    )
