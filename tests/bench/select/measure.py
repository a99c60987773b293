"""Measure one point: all schedulers in turn, round by round."""

import contextlib
import statistics
import threading
from dataclasses import dataclass, field

import psutil
import sqlalchemy as sa
from oslo_utils import timeutils, uuidutils

from tests.bench.select import schedulers

#: Requests of a scheduler in one round, where it answers within a few
#: hundredths of a second.
REPEATS = 5
#: Requests in which the share of fallbacks is met.
CYCLE = 5


@dataclass
class Result:
    """Hold what came of a scheduler at one point.

    :param seconds: of each request, in order of their rounds.
    :param rounds: requests a second, by round.
    :param cpu_s: processor seconds of all requests, by process.
    :param stages: seconds of each stage of each request.
    """

    seconds: list = field(default_factory=list)
    rounds: list = field(default_factory=list)
    cpu_s: dict = field(default_factory=dict)
    stages: dict = field(default_factory=dict)
    conflicts: dict = field(default_factory=dict)
    failures: int = 0

    def add(self, outcome, cpu_s):
        """Add a round.

        :param outcome: an asking.Outcome.
        """
        self.seconds += [seconds for seconds, _, _ in outcome.answers]
        self.rounds.append(len(outcome.answers) / outcome.wall_s)
        self.failures += outcome.failures
        for code, count in outcome.conflicts.items():
            self.conflicts[code] = self.conflicts.get(code, 0) + count
        for name, spent in cpu_s.items():
            self.cpu_s[name] = self.cpu_s.get(name, 0.0) + spent
        for each in outcome.stages:
            for name, spent in each.items():
                self.stages.setdefault(name, []).append(spent)

    @property
    def median_s(self):
        """Return the median of all requests."""
        return statistics.median(self.seconds)

    def describe_cpu_ms(self):
        """Return the processor's milliseconds a request, by process."""
        return {
            name: 1000 * spent / len(self.seconds)
            for name, spent in self.cpu_s.items()
        }


class Bench:
    """Measure points of one cloud.

    :param cloud: its rows.
    :param processes: what measures the seconds of the processor, by name.
    """

    def __init__(self, cloud, processes):
        self._cloud = cloud
        self._processes = processes
        self.errors = []

    def run(self, point, contenders, rounds, is_first):
        """Measure a point.

        :param contenders: schedulers and bare claims; bare ones claim what
            the first scheduler that is named 'mirror' chose last.
        :param is_first: the first point of these schedulers: a round more,
            which fills their caches, is not counted.
        :returns: a Result for each, by name.
        """
        results = {each.name: Result() for each in contenders}
        with self._change_hosts(point.churn):
            for number in range(-is_first, rounds):
                chosen = {}
                # None always follows the same one; bare ones come last.
                for each in _turn(contenders, number):
                    chosen[each.name] = self._run_round(
                        point, each,
                        None if number < 0 else results[each.name], chosen,
                    )
                self._compare(point, chosen)
        return results

    def _run_round(self, point, contender, result, chosen):
        """Ask one contender; None as result: to fill its caches.

        :returns: the hosts of each request.
        """
        if isinstance(contender, schedulers.Bare):
            hosts = {host.name: host.uuid for host in self._cloud.hosts}
            names = next(filter(None, chosen['mirror']), None) or (
                list(hosts)[:point.servers]
            )
            contender.providers = [hosts[name] for name in names]
        repeats = CYCLE if point.fallback else 1
        if contender.is_fast:
            repeats = max(repeats, 1 if point.servers > 1 else REPEATS)
        requests = [
            [
                (number % CYCLE < point.fallback * CYCLE / 100,
                 [uuidutils.generate_uuid() for _ in range(point.servers)])
                for number in range(repeats)
            ]
            for _ in range(point.clients)
        ]
        before = self._measure_cpu()
        outcome = contender.ask(requests)
        cpu_s = {
            name: spent - before[name]
            for name, spent in self._measure_cpu().items()
        }
        cpu_s['scheduler'] += outcome.cpu_s - outcome.client_s
        cpu_s['client'] = outcome.client_s
        answers = outcome.answers
        uuids = [
            uuid for of_client in requests for _, some in of_client
            for uuid in some
        ]
        self._check_claims(contender, uuids, answers)
        self._check_room(point)
        contender.forget(uuids)
        if result is not None:
            result.add(outcome, cpu_s)
        return [hosts for _, hosts, _ in answers]

    def _measure_cpu(self):
        return {name: read() for name, read in self._processes.items()}

    def _check_claims(self, contender, uuids, answers):
        """Compare the claims that were made with placement's rows."""
        rows = self._cloud.get_table('placement', 'allocations').c
        providers = self._cloud.get_table('placement', 'resource_providers').c
        with self._cloud.get_engine('placement').connect() as connection:
            claimed = connection.execute(
                sa.select(rows.consumer_id, providers.name)
                .where(rows.resource_provider_id == providers.id)
                .where(rows.consumer_id.in_(uuids)).distinct()
            ).all()
        if len(dict(claimed)) != len(claimed):
            self.errors.append(f'{contender.name}: a server has two hosts')
        if not isinstance(contender, schedulers.Bare):
            placed = [host for _, hosts, _ in answers for host in hosts]
            if sorted(placed) != sorted(host for _, host in claimed):
                self.errors.append(
                    f'{contender.name}: claimed other hosts than it chose'
                )
        elif not all(all(done) for _, done, _ in answers):
            self.errors.append(f'{contender.name}: a claim was refused')

    def _compare(self, point, chosen):
        """Compare what the schedulers chose, where they saw the same.

        The mirror is sent more requests than the others.
        """
        hosts = [
            chosen[name] for name in ('stock', 'tuned', 'mirror')
            if name in chosen
        ]
        count = min(map(len, hosts), default=0)
        if (
            point.sees_all and not point.churn and point.subset == 1
            and point.clients == 1
            and any(each[:count] != hosts[0][:count] for each in hosts)
        ):
            self.errors.append(f'other hosts at {point.describe()}')

    def _check_room(self, point):
        """Check that no provider has more in use than it has."""
        rows = self._cloud.get_table('placement', 'allocations').c
        inventories = self._cloud.get_table('placement', 'inventories').c
        with self._cloud.get_engine('placement').connect() as connection:
            over = connection.execute(
                sa.select(rows.resource_provider_id)
                .where(
                    rows.resource_provider_id
                    == inventories.resource_provider_id,
                    rows.resource_class_id == inventories.resource_class_id,
                )
                .group_by(
                    rows.resource_provider_id, rows.resource_class_id,
                    inventories.total, inventories.allocation_ratio,
                )
                .having(
                    sa.func.sum(rows.used)
                    > inventories.total * inventories.allocation_ratio
                )
            ).all()
        if over:
            self.errors.append(
                f'{len(over)} providers over capacity at {point.describe()}'
            )

    @contextlib.contextmanager
    def _change_hosts(self, a_second):
        """Write other use into compute nodes' rows meanwhile."""
        stopped = threading.Event()

        def change():
            try:
                change_one_by_one()
            except sa.exc.SQLAlchemyError as error:
                self.errors.append(f'hosts changed no longer: {error}')

        def change_one_by_one():
            nodes = self._cloud.get_table('nova_cell1', 'compute_nodes')
            number = 0
            while not stopped.wait(1 / a_second):
                host = self._cloud.hosts[number % len(self._cloud.hosts)]
                number += 37
                with self._cloud.get_engine('nova_cell1').begin() as each:
                    each.execute(
                        sa.update(nodes).where(nodes.c.id == host.id).values(
                            free_ram_mb=nodes.c.free_ram_mb - 1,
                            updated_at=timeutils.utcnow(),
                        )
                    )

        thread = threading.Thread(target=change)
        if a_second:
            thread.start()
        try:
            yield
        finally:
            stopped.set()
            if a_second:
                thread.join()


def measure_rss_mb():
    """Return the memory of this process."""
    return psutil.Process().memory_info().rss / 2 ** 20


def _turn(contenders, number):
    bare = [each for each in contenders if isinstance(each, schedulers.Bare)]
    others = [each for each in contenders if each not in bare]
    number %= len(others)
    return [*others[number:], *others[:number], *bare]
