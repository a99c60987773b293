"""Build servers over three labs, each a zone of its own."""

import itertools
import json
import time
from collections import Counter

import psutil

from nova_ext.lab.state import lab_state, paths
from tests.lab import base

PARENT, CHILD, GRANDCHILD = NAMES = ('zones', 'zones-2', 'zones-3')
PLAN = ('openstack', 'scheduler', 'build', 'plan')
REQUEST = (
    '--flavor', 'm1.tiny', '--image', 'cirros', '--network', 'none',
)
#: Seconds for a build, and for its end. What was sent without an answer is
#: known to be gone only after its offer has expired, 300 s.
PATIENCE_S = 900


class ZoneBuildsTestCase(base.LabTestCase):
    """A parent, a child and a grandchild zone of three equal hosts each."""

    up = ('--name', PARENT, '--zones', '3', '--computes', '3')
    deadline_s = 600

    def setUp(self):
        """Start what another test has left stopped."""
        super().setUp()
        self.lab('up', '--name', PARENT)

    def plan(self, *words):
        """Run a command of build plans in the parent, and return its JSON."""
        output = self.run_in_lab(*PLAN, *words, '-f', 'json', name=PARENT)
        # What --wait writes is before it.
        return json.loads(output[output.index('{\n'):])

    def create(self, name, count, *words):
        """Create servers, and return what is known of the build."""
        return self.plan(
            'create', *REQUEST, '--count', str(count), *words, name
        )

    def delete(self, build):
        """Delete a build, and wait until that is done.

        :returns: its items.
        """
        self.run_in_lab(*PLAN, 'delete', build['id'], name=PARENT)
        return self.wait_for_build(
            build['id'], lambda found: found['state'] == 'deleted'
        )['items']

    def wait_for_build(self, uuid, condition, pause_s=0.5):
        """Return a build as soon as a condition holds for it."""
        cloud = self.cloud(PARENT)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            build = cloud.get('scheduler', f'/v1/builds/{uuid}')['build']
            if condition(build):
                return build
            self.assertLess(time.monotonic(), deadline, build)
            time.sleep(pause_s)

    def servers(self):
        """Return the names of each zone's servers, of all projects."""
        return [
            sorted(server['Name'] for server in json.loads(self.run_in_lab(
                'openstack', 'server', 'list', '--all-projects',
                '-f', 'json', '-c', 'Name', name=name,
            ))) for name in NAMES
        ]

    def costs(self, name, count):
        """Return what servers would cost, without creating any."""
        return [
            place['cost']
            for place in self.create(name, count, '--dry-run')['places']
        ]

    def kill(self, name, *services):
        """End processes of a lab at once, with SIGKILL.

        :param services: which; by default all of them.
        """
        known = lab_state.load(paths.find(name)).processes
        processes = [
            psutil.Process(known[service].pid)
            for service in services or known
        ]
        for process in processes:
            process.kill()
        psutil.wait_procs(processes, PATIENCE_S)

    def kill_amid(self, uuid, name):
        """Kill all of a lab as soon as something was sent to its zone."""
        self.wait_for_build(uuid, lambda found: any(
            item['zone'] != 'parent' and item['state'] != 'planned'
            for item in found['items']
        ), pause_s=0)
        self.kill(name)

    def assert_known(self, uuid, build_name):
        """Check that each server is one of the build's, and is there once."""
        counted = Counter(itertools.chain(*self.servers()))
        self.assertEqual({1}, {*counted.values()} | {1}, counted)
        build = self.cloud(PARENT).get('scheduler', f'/v1/builds/{uuid}')
        self.assertLessEqual({*counted}, {
            f'{build_name}-{item["number"]}'
            for item in build['build']['items']
        })
