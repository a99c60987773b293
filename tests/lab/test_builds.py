"""Build servers over three zones, each a lab of its own."""

import itertools
from collections import Counter

from tests import guides
from tests.lab import base
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


class DeadZoneTest(ZoneBuildsTestCase):
    """The same zones, and a parent that soon has waited enough."""

    up = (
        *ZoneBuildsTestCase.up, '--set', 'nova_ext_builds.unknown_s=60',
        '--set', 'nova_ext_builds.build_timeout_s=90',
    )

    def test_zone_stays_dead(self):
        """The rest is ACTIVE, and each server that is not is named."""
        build = self.create('rest', 12, '--min', '1')
        planned = Counter(item['zone'] for item in build['items'])
        self.assertEqual({*ZONES}, {*planned})
        self.kill_amid(build['id'], CHILD)
        found = self.wait_for_build(
            build['id'], lambda found: found['state'] != 'building'
            and not any(item['state'] == 'sent' for item in found['items']),
        )
        self.assertEqual('active', found['state'], found)
        latest = {item['number']: item for item in found['items']}
        active = {
            item['server_id'] for item in latest.values()
            if item['state'] == 'active' and item['zone'] == 'parent'
        }
        self.assertEqual(planned['parent'], len(active), found)
        self.assertEqual(active, {
            server['id'] for server in self.cloud(PARENT).get(
                'compute', '/servers?all_tenants=1&status=ACTIVE'
            )['servers']
        })
        message = found['message']
        self.assertIn(
            f'{found["servers"]["active"]} of 12 servers are ACTIVE', message
        )
        missing = [
            item for item in latest.values() if item['state'] != 'active'
        ]
        self.assertNotEqual([], missing)
        for item in missing:
            self.assertTrue(any(words in message for words in (
                f'server {item["number"]} is in zone {item["zone"]}',
                f'server {item["server_id"]} in zone {item["zone"]}',
                f'not created: {item["reason"] or "-"}',
            )), (item, found))
        self.lab('up', '--name', CHILD)
        self.delete(build)
        self.assertEqual([[], [], []], self.servers())


class GuideTest(base.LabTestCase):
    """The commands of the guides, in a lab as they make it."""

    up = None
    #: Three zones start.
    deadline_s = 600

    def check(self, name, **where):
        """Run commands of a guide; what it shows is printed.

        :returns: the output of the last one.
        """
        output = ''
        for command in guides.read_commands(name, **where):
            output = self.command(*command.words)
            self.assertEqual(
                [], guides.find_missing(command.printed, output), output
            )
        return output

    def test_guides(self):
        """They do what the guides of labs and zones say."""
        output = self.check('lab', begin='\n.. _lab-zones:')
        self.assertIn('All results are as expected.', output)
        shown = [
            line for command in guides.read_commands(
                'lab', 'text', '\n.. _lab-demo-zones:'
            ) for line in ('$ ' + ' '.join(command.words), *command.printed)
        ]
        self.assertEqual(
            [], guides.find_missing(shown, output.replace(' \\\n   ', ''))
        )
        self.check('zones', begin='Try it', end='In the child zone')
