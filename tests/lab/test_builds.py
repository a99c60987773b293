"""Build servers over three zones, each a lab of its own."""

import itertools
from collections import Counter

from tests.lab.zone_builds import CHILD, PARENT, PLAN, ZoneBuildsTestCase

ZONES = ('parent', 'child', 'child/grandchild')


class BuildsTest(ZoneBuildsTestCase):
    """A parent, a child and a grandchild zone of three equal hosts each."""

    def test_built(self):
        """Each zone gets its share by cost, and gives all of it back."""
        costs = self.costs('web', 9)
        build = self.create('web', 9, '--wait')
        self.assertEqual('active', build['state'])
        found = self.servers()
        self.assertEqual([3, 3, 3], [len(names) for names in found])
        self.assertEqual(
            [f'web-{number}' for number in range(1, 10)],
            sorted(itertools.chain(*found)),
        )
        shown = self.plan('show', 'web')
        self.assertEqual({'active': 9}, shown['servers'])
        self.assertEqual(found, [
            [f'web-{item["number"]}' for item in shown['items']
             if item['zone'] == zone] for zone in ZONES
        ])
        items = self.delete(build)
        self.assertEqual(Counter(gone=9), Counter(
            item['state'] for item in items
        ))
        self.assertEqual([[], [], []], self.servers())
        self.assertEqual(costs, self.costs('web', 9))

    def test_zone_stopped(self):
        """The others take all servers, and the plan says why."""
        self.lab('down', '--name', CHILD)
        build = self.create('rest', 4, '--wait')
        self.assertEqual('active', build['state'])
        self.assertEqual(
            ['parent'] * 4, [item['zone'] for item in build['items']]
        )
        output = self.run_in_lab(*PLAN, 'show', 'rest', name=PARENT)
        # Whether its poller has seen it by now.
        self.assertRegex(
            output, '\n    child: (0 offers; silent|not asked; inactive)'
        )
        self.lab('up', '--name', CHILD)
        self.assertEqual(
            [[f'rest-{number}' for number in range(1, 5)], [], []],
            self.servers(),
        )
        self.delete(build)
        self.assertEqual([[], [], []], self.servers())

    def test_zone_killed(self):
        """No server is lost, doubled or left when a zone dies meanwhile."""
        build = self.create('many', 20, '--min', '1')
        self.wait_for_build(build['id'], lambda found: any(
            item['zone'] != 'parent' and item['state'] == 'sent'
            for item in found['items']
        ), pause_s=0)
        self.kill(CHILD)
        found = self.wait_for_build(build['id'], lambda found: True)
        self.assertEqual('building', found['state'], found)
        self.lab('up', '--name', CHILD)
        self.assert_known(build['id'], 'many')
        items = self.delete(build)
        self.assertLessEqual(
            {item['state'] for item in items}, {'failed', 'gone'}
        )
        self.assertEqual([[], [], []], self.servers())
