"""Gather offers of zones over HTTP."""

import json
import queue
import threading
import time
import uuid
from unittest import mock

import fixtures

from nova_ext.core.base import scheduling_errors as s
from nova_ext.zones.offers.gathering import Gathering
from nova_ext.zones.schemas.offers import MAX_DEPTH
from tests.unit.zones import base as zones_base
from tests.unit.zones.offers import base
from tests.unit.zones.offers.base import costs, find, new_ids


class MergeTest(base.GatheringTestCase):
    """Zones that answer."""

    def test_cheapest(self):
        """The cheapest of all zones are chosen; the rest is given back."""
        self.add_child('one', 5, 25)
        self.add_child('two', 15, 16, 40)
        gathered = self.gather(4)
        self.assertEqual(
            [('one', 5), ('nova', 10), ('two', 15), ('two', 16)],
            costs(gathered),
        )
        self.assertEqual(
            [('one',), (), ('two',), ('two',)],
            [tuple(name for name, zone in self.zones.items()
                   if zone.uuid in each.via) for each in gathered.offers],
        )
        chosen = {}
        for each in gathered.offers:
            chosen.setdefault(each.zone, set()).add(each.request_id)
        self.assertEqual(
            (chosen['nova'], chosen['one'], chosen['two']),
            tuple(self.held(name) for name in ('root', 'one', 'two')),
        )
        self.assertNotIn('secret-host', repr(gathered))

    def test_deep(self):
        """A grandchild's offers come through a child that routes."""
        self.add_child('one', 50)
        self.add_child('two', 1, 2, below='one')
        self.add_child('three', 0, below='two')
        gathered = self.gather(3)
        self.assertEqual([
            ('one/two/three', 0), ('one/two', 1), ('one/two', 2),
        ], costs(gathered))
        uuids = [self.zones[name].uuid for name in ('one', 'two', 'three')]
        self.assertEqual(tuple(uuids), gathered.offers[0].via)
        self.assertEqual(set(), self.held('one'))
        self.assertEqual(set(), self.held('root'))
        self.assertEqual(
            (1, 'no_room'), (
                (told := find(gathered.report, 'one', 'two', 'three')).offers,
                told.reason,
            )
        )
        self.give_back(gathered.offers)
        for name in self.zones:
            self.assertEqual(set(), self.held(name), name)

    def test_give_back_all(self):
        """Zones that are children of each other are told once."""
        self.add_child('one', 1)
        self.add_child('two', 2, below='one')
        self.add_child('one', below='two')
        ids = new_ids(5)
        self.gather(ids=ids)
        give_back_all, told = Gathering.give_back_all, []

        def count(*args):
            told.append(args)
            return give_back_all(*args) if len(told) < 20 else 0

        with mock.patch.object(Gathering, 'give_back_all', count):
            self.make_gathering().give_back_all(
                self.context(), ids, [self.zones['root'].uuid]
            )
        self.assertEqual(3, len(told))
        for name in self.zones:
            self.assertEqual(set(), self.held(name), name)

    def test_no_routing(self):
        """A child zone offers its own hosts alone."""
        self.conf.config(group='nova_ext_zones', enable_zone_routing=False)
        self.add_child('one', 50)
        self.add_child('two', 1, below='one')
        gathered = self.gather(5)
        self.assertEqual(
            [('nova', 10), ('nova', 20), ('nova', 30), ('one', 50)],
            costs(gathered),
        )
        self.assertEqual([], self.zones['two'].scheduler.asked)

    def test_weights(self):
        """A parent scales its child's costs, and adds to them."""
        self.add_child('one', 1, 2, weight_scale=2.5, weight_offset=10.0)
        self.add_child('two', 2**31 - 1, weight_scale=9.0)
        self.assertEqual(
            [('nova', 10), ('one', 12), ('one', 15), ('nova', 20),
             ('nova', 30), ('two', 2**31 - 1)], costs(self.gather(9))
        )

    def test_ask_first(self):
        """Others are asked while there are too few offers, and named."""
        self.conf.config(group='nova_ext_zones', ask_first=2)
        self.add_child('dear', 1, weight_offset=100.0)
        self.add_child('b', 2)
        self.add_child('c', 3)
        self.add_child('a', 4)
        self.add_child('off', 0, is_disabled=True)
        gathered = self.gather(4)
        self.assertEqual(
            [('b', 2), ('a', 4), ('nova', 10), ('nova', 20)],
            costs(gathered),
        )
        told = {
            each.name: (each.was_asked, each.reason)
            for each in gathered.report.zones
        }
        self.assertEqual({
            'dear': (False, 'not_needed'), 'b': (True, 'no_room'),
            'c': (False, 'not_needed'), 'a': (True, 'no_room'),
            'off': (False, 'disabled'),
        }, told)
        self.assertEqual([], self.zones['c'].scheduler.asked)
        self.give_back(gathered.offers)
        gathered = self.gather(6)
        self.assertEqual([2, 3, 4, 10, 20, 30], [
            each.cost for each in gathered.offers
        ])
        self.assertEqual(set(), self.held('dear'))

    def test_ask_one(self):
        """So it goes on, one zone at a time."""
        self.conf.config(group='nova_ext_zones', ask_first=1)
        for name in ('one', 'two', 'three'):
            self.add_child(name, 1)
        gathered = self.gather(5)
        self.assertEqual(
            {'one': True, 'two': False, 'three': True}, {
                each.name: each.was_asked for each in gathered.report.zones
            },
        )

    def test_diamond(self):
        """A zone below two others offers its room once."""
        self.add_child('one')
        self.add_child('two')
        self.add_child('both', 1, 2, 3, below='one')
        self.add_child('both', below='two')
        gathered = self.gather(6)
        self.assertEqual([1, 2, 3, 10, 20, 30], [
            each.cost for each in gathered.offers
        ])
        self.assertEqual({'asked_before', 'no_room'}, {
            find(gathered.report, name, 'both').reason
            for name in ('one', 'two')
        })

    def test_diamond_dry(self):
        """So it does where nothing is held."""
        self.add_child('one')
        self.add_child('two')
        self.add_child('both', 1, 2, 3, below='one')
        self.add_child('both', below='two')
        gathered = self.gather(6, hold=False)
        self.assertEqual([1, 2, 3, 10, 20, 30], [
            each.cost for each in gathered.offers
        ])
        for name in self.zones:
            self.assertEqual(set(), self.held(name), name)

    def test_own_flavor(self):
        """The zone's own flavor and image are asked for, and the owner."""
        self.gather(1, build={'owner': 'o-1', 'hints': {'a': 'b'}})
        boot, = (asked.request for asked in self.backends.fake.asked)
        self.assertEqual('42', boot.flavor.flavorid)
        self.assertTrue(boot.stored_flavor)
        self.assertEqual('i-1', boot.image['id'])
        self.assertEqual(
            {'hw_disk_bus': 'virtio'}, boot.image['properties']
        )
        self.assertEqual({'a': 'b', 'nova_ext_owner': 'o-1'}, boot.hints)


class RefusedTest(base.GatheringTestCase):
    """Zones that are not asked, or can't be used."""

    def test_not_asked(self):
        """The report says why."""
        child = self.add_child('disabled', 1, is_disabled=True)
        self.add_child('foreign', 1, project='c' * 32)
        self.add_child('silent', 1)
        with self.database.writing() as session:
            zone, = zones_base.registry.list_zones(session, 'silent')
            zone.is_active, zone.last_error = False, 'no answer'
        gathered = self.gather(2)
        self.assertEqual(
            {'disabled': 'disabled', 'foreign': 'no_project',
             'silent': 'inactive'},
            {each.name: each.reason for each in gathered.report.zones},
        )
        self.assertFalse(any(
            each.was_asked for each in gathered.report.zones
        ))
        self.assertEqual([], child.scheduler.asked)

    def test_shared(self):
        """A shared zone serves every project with its own credentials."""
        self.add_child(
            'one', 1, project=None, is_shared=True, cloud='child'
        )
        self.assertEqual(1, self.gather(1).offers[0].cost)

    def test_constraints(self):
        """A zone has to have one of the values, this one, too."""
        self.conf.config(
            group='nova_ext_zones', zone_capabilities='hypervisor=kvm;xen'
        )
        self.add_child('none', 1)
        self.add_child('gathering', 2)
        self.add_child('kvm', 3)
        with self.database.writing() as session:
            for zone in zones_base.registry.list_zones(session):
                zone.is_gathering = zone.name == 'gathering'
                if zone.name == 'kvm':
                    zone.capabilities = json.dumps({
                        'general': {'hypervisor': {'values': ['kvm']}},
                        'services': {},
                    })
        self.assertEqual(
            {'gathering', 'kvm', 'nova'},
            {zone for zone, _ in costs(self.gather(
                9, build={'constraints': ['zone:hypervisor=kvm']}
            ))},
        )
        self.assertEqual(
            set(), {zone for zone, _ in costs(self.gather(
                9, build={'constraints': ['hypervisor=qemu']}
            ))},
        )

    def test_no_flavor(self):
        """A zone without the flavor offers nothing, and says so."""
        self.flavors[0]['ram'] = 1024
        self.add_child('one', 1)
        report = self.gather(1).report
        self.assertEqual('no_flavor', report.reason)
        self.assertEqual('no_flavor', find(report, 'one').reason)

    def test_cycle(self):
        """No question is sent back."""
        root = self.zones['root']
        self.add_child('one', 1)
        root.url = self.serve_own_zone().url
        self.register('root', root.url, root.uuid, below='one')
        gathered = self.gather(1)
        self.assertEqual('cycle', find(gathered.report, 'one', 'root').reason)
        self.assertEqual(1, gathered.offers[0].cost)

    def test_too_deep(self):
        """A question that has passed too many zones is not sent on."""
        child = self.add_child('one', 1)
        for passed, reason, asked in (
            (MAX_DEPTH - 2, 'no_room', 1), (MAX_DEPTH - 1, 'too_deep', 0),
        ):
            gathered = self.gather(3, path=[
                str(uuid.UUID(int=number)) for number in range(passed)
            ])
            report = find(gathered.report, 'one')
            self.assertEqual(reason, report.reason)
            self.assertEqual(bool(asked), report.was_asked)
            self.assertEqual(asked, len(child.scheduler.asked))
            child.scheduler.asked.clear()
            self.give_back(gathered.offers)

    def test_own_error(self):
        """The zone's own schedulers fail, and other zones do not."""
        self.backends.fake.error = s.NoSchedulerError('none')
        self.add_child('one', 1)
        gathered = self.gather(2)
        self.assertEqual([('one', 1)], costs(gathered))
        self.assertEqual('no_scheduler', gathered.report.reason)

    def test_hostile(self):
        """Each is one error, and the others' offers are taken."""
        ids = new_ids(2)
        child_uuid = zones_base.UUID
        until = int(time.time()) + 60
        good = {
            'request_id': ids[0], 'cost': 1, 'offer': 'x',
            'expires_at': until, 'via': [],
        }
        zone = {
            'name': 'child', 'uuid': child_uuid, 'offers': 1, 'reason': None,
            'was_asked': True, 'lacking': {}, 'held_until': None, 'zones': [],
        }

        def told(*offers, **fields):
            return {'offers': [*offers], 'zone': {**zone, **fields}}

        deep = zone
        for _ in range(40):
            deep = {**zone, 'zones': [deep]}
        for number, (body, words) in enumerate((
            (b'{', 'no JSON'),
            (b'[' * 200000, 'nested too deeply'),
            ({}, 'does not fit'),
            ({'offers': []}, 'does not fit'),
            (told(good, good), 'two offers of one request id'),
            (told(good, {**good, 'request_id': ids[1]}, {
                **good, 'request_id': new_ids(1)[0]
            }), 'makes 3 offers'),
            (told({**good, 'request_id': new_ids(1)[0]}), 'not sent to it'),
            (told({**good, 'cost': -1}), 'schema at offers.cost'),
            (told({**good, 'cost': 2**31}), 'schema at offers.cost'),
            (told({**good, 'cost': 'free'}), 'schema at offers.cost'),
            (told({**good, 'offer': 'a b'}), 'schema at offers.offer'),
            (told({**good, 'expires_at': until - 9999}), 'clock'),
            (told({**good, 'expires_at': until + 10**6}), 'clock'),
            (told({**good, 'via': [self.zones['root'].uuid]}),
             'none of those below it'),
            (told({**good, 'via': [child_uuid]}), 'none of those below it'),
            (told(good, uuid=zones_base.OTHER_UUID), 'as another zone'),
            (told(good, lacking={'host\n': 1}), 'schema at zone'),
            (told(good, zones=[deep]), 'deeper than'),
        )):
            with self.subTest(words):
                child = self.serve_answer(200, body)
                name = f'hostile{number}'
                with self.database.writing() as session:
                    for old in zones_base.registry.list_zones(session):
                        session.delete(old)
                self.register(name, child.url, child_uuid)
                gathered = self.gather(ids=ids, hold=False)
                self.assertEqual(
                    [('nova', 10), ('nova', 20)], costs(gathered)
                )
                report = find(gathered.report, name)
                self.assertEqual('malformed', report.reason)
                self.assertIn(words, report.error)

    def test_silent(self):
        """A child zone that does not answer costs its time limit, once.

        What it may hold is given back; nobody waits for that.
        """
        self.conf.config(group='nova_ext_zones', offers_time_limit_s=15)
        asked = queue.Queue()

        def hang(request):
            asked.put(request.command)
            request.connection.recv(1)

        child = self.serve(hang)
        self.register('one', child.url, zones_base.UUID)
        began = time.monotonic()
        gathered = self.gather(2)
        # Twice its limit would be 30 s.
        self.assertLess(time.monotonic() - began, 29)
        self.assertEqual(['POST', 'DELETE'], [
            asked.get(timeout=60), asked.get(timeout=60)
        ])
        self.assertEqual('silent', find(gathered.report, 'one').reason)
        self.assertEqual([('nova', 10), ('nova', 20)], costs(gathered))

    def test_give_back_silent(self):
        """Nobody waits for longer than the question lasts."""
        self.conf.config(group='nova_ext_zones', time_limit_s=600)
        self.add_child('one', 50, 60)
        asked, over = queue.Queue(), threading.Event()
        self.addCleanup(over.set)

        def hang(*_):
            asked.put(True)
            over.wait(600)

        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.zones.offers.child_offers.give_back', hang
        ))
        began = time.monotonic()
        gathered = self.gather(2, deadline_s=20)
        self.assertLess(time.monotonic() - began, 300)
        self.assertTrue(asked.get(timeout=60))
        self.assertEqual([('nova', 10), ('nova', 20)], costs(gathered))

    def test_give_back_late(self):
        """What nobody waits for is given back all the same."""
        self.add_child('one', 1, 2)
        gathered = self.gather(2)
        self.assertEqual(2, len(self.held('one')))
        self.make_gathering().give_back(
            self.context(), gathered.offers, wait_s=0
        )
        ends = time.monotonic() + 60
        while self.held('one') and time.monotonic() < ends:
            time.sleep(0.05)
        self.assertEqual(set(), self.held('one'))

    def test_errors(self):
        """Its own code is in the report; its own words are not."""
        child = self.serve_answer(503, {'errors': [{
            'code': 'scheduler.busy', 'detail': 'canary',
        }]})
        self.register('one', child.url, zones_base.UUID)
        report = find(self.gather(1).report, 'one')
        self.assertEqual('busy', report.reason)
        self.assertNotIn('canary', repr(report))

    def test_no_time(self):
        """No question is sent that nobody would wait for."""
        child = self.add_child('one', 1)
        gathered = self.gather(1, deadline_s=2.5)
        self.assertEqual('no_time', find(gathered.report, 'one').reason)
        self.assertEqual([], child.scheduler.asked)
