"""Ask a tree of zones for offers for a build, and say what it took."""

import contextlib
import dataclasses
import gc
import math
import time
import tracemalloc
from pathlib import Path

from keystoneauth1 import access
from keystoneauth1.identity.access import AccessInfoPlugin
from oslo_config import cfg
from oslo_context.context import RequestContext

from nova_ext.core.rpc.offers import MAX_SLOTS
from nova_ext.database.database import Database
from nova_ext.zones.builds import planning
from nova_ext.zones.child import Children
from nova_ext.zones.offers import own_cloud
from nova_ext.zones.offers.gathering import Gathering
from nova_ext.zones.offers.own_cloud import OwnCloud
from nova_ext.zones.server_spec import ServerSpec
from nova_ext.zones.tables import held_offers
from tests.bench.zones import cloud, hosts, tree
from tests.bench.zones.workers import Workers
from tests.unit.zones.offers.base import BUILD

#: Bytes at most: of a question without its ids, of an id and of a UUID.
_QUESTION, _ID, _UUID = 1024, 48, 39
#: Bytes at most of an offer without UUIDs, and of what a zone says of itself.
_OFFER, _REPORT = 192, 256
#: Bytes of memory at most: of an offer while it is read and merged, of a
#: zone's report, and of everything else.
_OFFER_MEMORY, _REPORT_MEMORY, _BASE_MEMORY = 6144, 8192, 8 * 2**20


@dataclasses.dataclass
class Result:
    """Represent what one build took.

    :param counts: what each zone was sent, by name; the root is sent nothing.
    :param tokens: that Keystones gave.
    :param memory: bytes that the root had at most beyond those before; None:
        it was not measured, as it takes time.
    """

    plan: planning.BuildPlan
    held: dict
    counts: dict
    tokens: int
    seconds: float
    cpu_s: float
    memory: int | None


class Simulation:
    """Be the root of a tree of zones; use it in a ``with`` block.

    :param folder: for databases.
    :param zones: how many, the root with them.
    :param host_count: of each zone.
    :param workers: processes for the other zones.
    :param shape: see :func:`tests.bench.zones.tree.list_parents`.
    """

    def __init__(self, folder, zones, host_count, workers=2, **shape):
        self.parents = tree.list_parents(zones, **shape)
        self.host_count = host_count
        self._worker_count = workers
        self._folder = Path(folder)

    def __enter__(self):
        """Start all zones."""
        tree.configure(cfg.CONF.set_override)
        self._database = Database(f'sqlite:///{self._folder}/root.sqlite')
        self._database.sync()
        with contextlib.ExitStack() as stack:
            self._workers = stack.enter_context(
                Workers(self._folder, self.parents, self.host_count,
                        self._worker_count)
            )
            self.uuids = self._workers.start(self._database)
            self._stack = stack.pop_all()
        clouds_file = self._folder / 'clouds.yaml'
        self._stack.enter_context(tree.be_patient())
        cloud.write_clouds(clouds_file, self._workers.url)
        session = own_cloud.open_session(AccessInfoPlugin(access.create(
            body=cloud.make_token(self._workers.url), auth_token=cloud.TOKEN
        )))
        self._gathering = Gathering(
            self._database, self._workers,
            Children(clouds_file, tree.TIME_LIMIT_S, True), OwnCloud(session),
        )
        self._context = RequestContext(
            user_id='user', project_id=cloud.PROJECT
        )
        return self

    def __exit__(self, *error):
        """End all processes."""
        self._stack.close()

    def plan(self, servers, *, measure_memory):
        """Plan a build as POST /v1/builds does; give its offers back.

        :param measure_memory: whether to, which makes it slower.
        """
        new = planning.NewBuild(
            self.uuids[tree.ROOT], 'b',
            ServerSpec.from_dict({**BUILD, 'owner': 'o'}), servers, servers,
            int(time.time()) + 3600,
        )
        self._workers.take_counts()
        gc.collect()
        with _trace_memory() if measure_memory else _no_memory() as peak:
            began, cpu = time.monotonic(), time.process_time()
            plan = planning.make_plan(
                self._gathering, self._context, new, 3600, hold=True
            )
            seconds = time.monotonic() - began
            cpu_s = time.process_time() - cpu
            memory = peak()
        counts, tokens = self._workers.take_counts()
        result = Result(
            plan, self._list_held(), counts, tokens, seconds, cpu_s, memory
        )
        self._gathering.give_back(self._context, plan.offers)
        _equal('room that is held after all', {}, self._list_held())
        return result

    def expect(self, servers):
        """Return cost and zone of each server in one zone of all hosts."""
        return hosts.place_one_by_one({
            self.uuids[name]: hosts.draw(seed, self.host_count)
            for seed, name in enumerate(self.parents)
        }, servers)

    def _list_held(self):
        with self._database.reading() as session:
            own = sorted(held_offers.read(session, int(time.time()))[1])
        held = {
            **self._workers.list_held(), self.uuids[tree.ROOT]: own,
        }
        return {uuid: ids for uuid, ids in held.items() if ids}


def check(simulation, servers, result):
    """Check what a build took.

    :raises AssertionError: saying what is wrong.
    """
    parents, uuids = simulation.parents, simulation.uuids
    offers, root = result.plan.offers, uuids[tree.ROOT]
    _equal('zones that do not offer as much as they were asked for', [], [
        f'{zone.name}: {zone.reason}' for report in result.plan.reports
        for zone in report.walk() if zone.reason
    ])
    chosen = [
        (each.cost, each.via[-1] if each.via else root) for each in offers
    ]
    _equal('offers', simulation.expect(servers), chosen)
    held = {}
    for each in offers:
        held.setdefault(
            each.via[-1] if each.via else root, []
        ).append(each.request_id)
    _equal('held room', {
        uuid: sorted(ids) for uuid, ids in held.items()
    }, result.held)
    batches = math.ceil(servers / MAX_SLOTS)
    slots = min(servers, MAX_SLOTS)
    for zone, counts in result.counts.items():
        if zone == tree.ROOT:
            continue
        depth = tree.measure_depth(parents, zone)
        below = tree.list_below(parents, zone)
        height = max(
            tree.measure_depth(parents, each) for each in below
        ) - depth
        _equal(f'questions to {zone}', batches, counts.questions)
        # Each zone above it gives back what it does not pass on.
        _at_most(f'returns to {zone}', batches * depth, counts.given_back)
        _at_most(
            f'bytes to {zone}', _QUESTION + slots * _ID + depth * _UUID,
            counts.question_bytes,
        )
        _at_most(
            f'bytes from {zone}',
            slots * (_OFFER + height * _UUID) + len(below) * _REPORT,
            counts.answer_bytes,
        )
    # One of each child zone, for as long as the token is good.
    _at_most('tokens', len(parents) - 1, result.tokens)
    if result.memory is not None:
        _at_most('memory', bound_memory(parents, servers), result.memory)


def bound_memory(parents, servers):
    """Return the bytes that planning a build takes of the root at most."""
    asked = 1 + sum(parent == tree.ROOT for parent in parents.values())
    slots = min(servers, MAX_SLOTS) * asked + servers
    reports = len(parents) * math.ceil(servers / MAX_SLOTS)
    return (
        _BASE_MEMORY + slots * _OFFER_MEMORY + reports * _REPORT_MEMORY
    )


def _equal(what, expected, seen):
    if expected != seen:
        raise AssertionError(
            f'{what}: {expected!s:.999} expected, {seen!s:.999} seen'
        )


def _at_most(what, most, seen):
    if seen > most:
        raise AssertionError(f'{what}: {most} at most, {seen} seen')


@contextlib.contextmanager
def _trace_memory():
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        yield lambda: tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


@contextlib.contextmanager
def _no_memory():
    yield lambda: None
