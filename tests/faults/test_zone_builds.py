"""Kill a service of a chain of zones at each step of a build.

Each test breaks one step in each way, one after the other, with a build of
its own. None of its servers is lost, doubled or left, and what the build says
of them is true.
"""

import contextlib

from nova.tests import fixtures as nova_fixtures

from tests.faults.proxy import FAULTS, HELD, KILLED_AFTER, KILLED_BEFORE
from tests.faults.zone_chain import ITEMS, LIFE_S, OFFERS, ChainTestCase

_KILLED = (KILLED_BEFORE, KILLED_AFTER)
_ITEM = f'{ITEMS}/'
_CREATE = ('POST', '/servers$')
_LOOK = ('GET', '/servers/detail')
_DELETE = ('DELETE', '/servers/[0-9a-f-]{36}$')


class StepsTestCase(ChainTestCase):
    """Break a step, and judge what comes of it."""

    def each(self, faults=FAULTS):
        """Yield each fault, with the offers' usual life."""
        for self.case in faults:
            self.flags(group='nova_ext_offers', lifetime_s=300)
            yield self.case

    @contextlib.contextmanager
    def short_life(self):
        """Make offers that expire soon."""
        self.flags(group='nova_ext_offers', lifetime_s=LIFE_S)
        yield
        self.flags(group='nova_ext_offers', lifetime_s=300)

    def check_gather(self, proxy, who, faults=FAULTS):
        """Break the question for offers: the build fails, or there is none."""
        for what in self.each(faults):
            fault = proxy.fail('POST', OFFERS, what, who.kill)
            with self.short_life():
                build = self.post()
            self.assertTrue(fault.happened.is_set())
            self.check_failed(build, 0, 2)
            self.assertIs(
                who is self.root and what in _KILLED, build is None
            )
            if what == HELD:
                with self.short_life():
                    fault.release()
            self.check_free()

    def check_give_back(self, proxy, who, faults=FAULTS):
        """Break the return of offers: they expire."""
        large = self._create_flavor(memory_mb=5000, vcpu=1, disk=1)
        for what in self.each(faults):
            fault = proxy.fail('DELETE', OFFERS, what, who.kill)
            with self.short_life():
                build = self.post(4, large)
            self.assertTrue(fault.happened.is_set())
            self.check_failed(build, 3, 4)
            if what == HELD:
                fault.release()
            self.check_free(3, large)

    def check_failed(self, build, found, count):
        """Check that a build has failed for want of offers, and says so."""
        self.restart()
        self.assertEqual({}, self.list_servers())
        builds = self.list_builds()
        if build is None:
            self.assertEqual([], [
                each for each in builds if each['state'] != 'deleted'
            ])
            return
        shown = self.show(build)
        self.assertEqual('failed', shown['state'])
        self.assertEqual([], shown['items'])
        self.assertEqual(
            f'the zones made offers for {found} of {count} servers, and '
            f'{count} are needed', shown['message'],
        )
        if not found:
            self.assertIn('silent', str(shown['questions']))
        self.delete(build)
        self.follow(build, 'deleted')

    def check_free(self, count=2, flavor_id=None):
        """Check that all room can be taken once offers have expired."""
        self.until(lambda: not self.list_held(), 'held room to be free')
        build = self.post(count, flavor_id)
        self.follow(build, 'active')
        self.judge(build, count)
        self.clear_away(build)

    def check_items(self, proxy, who, method, path, faults=FAULTS, skip=0):
        """Break a request for items on its way to active servers."""
        for what in self.each(faults):
            build = self.post()
            fault = proxy.fail(method, path, what, who.kill, skip)
            self.follow(build, 'active')
            self.assertTrue(fault.happened.is_set())
            self.judge(build)
            if what == HELD:
                fault.release()
                self.judge(build)
            self.clear_away(build)

    def check_undo(self, proxy, who, method, path, faults=FAULTS):
        """Break a request of a deletion."""
        for what in self.each(faults):
            build = self.post()
            self.follow(build, 'active')
            self.judge(build)
            fault = proxy.fail(method, path, what, who.kill)
            self.delete(build)
            self.judge_deleted(self.follow(build, 'deleted'))
            self.assertTrue(fault.happened.is_set())
            if what == HELD:
                fault.release()

    def check_each_effect(self, who, count):
        """Kill a service before each of the first things that it does.

        :param count: number of writes and requests.
        """
        for number in range(1, count + 1):
            self.case = f'before effect {number}'
            self.flags(group='nova_ext_offers', lifetime_s=300)
            with self.short_life():
                build = self.post(1)
            who.start(number)
            self.follow(build, 'active')
            self.assertGreater(self.deaths, 0)
            self.deaths = 0
            self.judge(build, 1)
            self.clear_away(build)

    def check_create(self, who):
        """Break the request that creates a server in Nova.

        What may not have arrived is replaced once its offer has expired.
        """
        for what in self.each():
            is_lost = what in (KILLED_BEFORE, HELD)
            with self.short_life() if is_lost else contextlib.nullcontext():
                build = self.post()
            fault = self.to_nova.fail(*_CREATE, what, who.kill)
            self.follow(build, 'active')
            self.assertTrue(fault.happened.is_set())
            shown = self.judge(build)
            ended = [
                (item['state'], item['reason']) for item in shown['items']
                if item['state'] != 'active'
            ]
            # On a busy machine the other one's offer expires, too.
            self.assertEqual(is_lost, ('failed', 'lost') in ended, ended)
            if not is_lost:
                self.assertEqual([], ended)
            if what == HELD:
                self.check_late(fault, build)
            self.clear_away(build)

    def check_late(self, fault, build):
        """Have a request arrive after its successor: it boots nothing."""
        late = fault.release().json()['server']['id']
        self.assertNotIn(late, str(self.show(build)['items']))
        self.wait_for(
            lambda: self.list_servers()[late]['status'] != 'BUILD',
            'the late server to be refused',
        )
        self.assertEqual('ERROR', self.list_servers()[late]['status'])
        self.builder.look_now()
        self.until(
            lambda: late not in self.list_servers(),
            'the late server to be deleted',
        )
        self.judge(build)


class RootApiTest(StepsTestCase):
    """The root's API asks, writes down, and gives back."""

    def test_gather(self):
        """No build, or one that has failed; no room is held for good."""
        self.check_gather(self.to_middle, self.root)

    def test_post(self):
        """A build that was written down goes on, whoever knows of it."""
        for what in self.each():
            fault = self.to_root.fail(
                'POST', '/v1/builds', what, self.root.kill
            )
            self.assertIsNone(self.post())
            self.restart()
            if what == HELD:
                self.assertEqual([], self.list_living())
                fault.release()
            listed = self.list_living()
            if what == KILLED_BEFORE:
                self.assertEqual([], listed)
                self.assertEqual({}, self.list_servers())
                continue
            (build,) = listed
            self.follow(build, 'active')
            self.judge(build)
            self.clear_away(build)

    def list_living(self):
        """Return the builds that are not deleted."""
        return [
            each for each in self.list_builds() if each['state'] != 'deleted'
        ]

    def test_give_back(self):
        """What is not given back is free when it has expired."""
        self.check_give_back(self.to_middle, self.root)


class BuilderTest(StepsTestCase):
    """The builder sends, looks and undoes, by the middle zone's API."""

    def test_send(self):
        """An item is sent again, and carried out once."""
        self.check_items(self.to_middle, self.builder, 'PUT', _ITEM)

    def test_each_effect(self):
        """Another builder goes on, wherever the first one has stopped."""
        self.check_each_effect(self.builder, 6)

    def test_look(self):
        """It looks again."""
        self.check_items(
            self.to_middle, self.builder, 'GET', rf'{ITEMS}\?'
        )

    def test_undo(self):
        """It deletes again."""
        self.check_undo(self.to_middle, self.builder, 'DELETE', _ITEM)

    def test_late_item(self):
        """An item that arrives after its deletion creates nothing."""
        build = self.post(1)
        fault = self.to_middle.fail('PUT', _ITEM, HELD, None)
        self.until(fault.happened.is_set, 'the item to be sent')
        # It is deleted before it is sent again.
        self.delete(build)
        self.judge_deleted(self.follow(build, 'deleted'))
        self.assertIn(fault.release().status_code, (200, 409))
        self.assertEqual({}, self.list_servers())


class OwnBuilderTest(StepsTestCase):
    """The builder creates, looks and deletes in its own zone."""

    has_own_hosts = True

    def test_create(self):
        """A server without an answer is found, or replaced behind a fence."""
        self.check_create(self.builder)

    def test_look(self):
        """It looks again."""
        self.check_items(self.to_nova, self.builder, *_LOOK)

    def test_delete(self):
        """It deletes again."""
        self.check_undo(self.to_nova, self.builder, *_DELETE)


class MiddleTest(StepsTestCase):
    """The middle zone's API passes on what it is asked."""

    def test_gather(self):
        """The build says that a zone was silent."""
        self.check_gather(self.to_leaf, self.middle)

    def test_send(self):
        """It goes on with what it has written down."""
        self.check_items(self.to_leaf, self.middle, 'PUT', _ITEM)

    def test_each_effect(self):
        """It goes on, wherever it has stopped."""
        self.check_each_effect(self.middle, 6)

    def test_look(self):
        """It is asked again."""
        self.check_items(self.to_leaf, self.middle, 'GET', rf'{ITEMS}\?')

    def test_undo(self):
        """It is asked again."""
        self.check_undo(self.to_leaf, self.middle, 'DELETE', _ITEM)

    def test_give_back(self):
        """What is not given back is free when it has expired."""
        self.check_give_back(self.to_leaf, self.middle)


class LeafTest(StepsTestCase):
    """The leaf's API makes offers, and manages servers in Nova."""

    def test_gather(self):
        """The build says that a zone was silent."""
        self.check_gather(self.to_leaf, self.leaf, _KILLED)

    def test_send(self):
        """What was written down is carried out, and nothing twice."""
        self.check_items(self.to_leaf, self.leaf, 'PUT', _ITEM, _KILLED)

    def test_create(self):
        """A server without an answer is found, or replaced behind a fence."""
        self.check_create(self.leaf)

    def test_each_effect(self):
        """It goes on, wherever it has stopped."""
        self.check_each_effect(self.leaf, 10)

    def test_look(self):
        """It is asked again."""
        # Two are of the look that comes before each server.
        self.check_items(self.to_nova, self.leaf, *_LOOK, skip=2)

    def test_delete(self):
        """It is asked again."""
        self.check_undo(self.to_nova, self.leaf, *_DELETE)

    def test_give_back(self):
        """What is not given back is free when it has expired."""
        self.check_give_back(self.to_leaf, self.leaf, _KILLED)

    def test_cell_down(self):
        """A server in a cell that is silent at the look-up is not doubled."""
        down = contextlib.ExitStack()
        self.addCleanup(down.close)

        def stop_cell():
            # Until it is in its cell, Nova knows it without the cell.
            self.wait_for(lambda: self.names() == ['web'], 'the server')
            down.enter_context(nova_fixtures.DownCellFixture())

        with self.short_life():
            build = self.post(1)
        self.to_nova.fail(*_CREATE, KILLED_AFTER, stop_cell)
        self.until(lambda: any(
            item['reason'] == 'not_all_servers_listed'
            for item in self.show(build)['items']
        ), 'an incomplete look-up')
        down.close()
        shown = self.follow(build, 'active')
        self.assertEqual([1], [item['attempt'] for item in shown['items']])
        self.judge(build, 1)
