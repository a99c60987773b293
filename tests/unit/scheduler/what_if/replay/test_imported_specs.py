"""Requests of a table become request specs; alike ones share what is alike."""

import dataclasses
from unittest import mock

import testtools
from nova import objects
from nova.virt import hardware

from nova_ext.journal.tables import TableRequest
from nova_ext.scheduler.what_if.replay import imported_specs

FIRST = TableRequest(2, 0, None, 2, 2048, 10)
#: Each differs from the first one in what a flavor or a zone has.
OTHERS = [
    dataclasses.replace(FIRST, **change) for change in (
        {'vcpus': 3}, {'memory_mb': 1024}, {'disk_gb': 20},
        {'flavor': 'usual'}, {'zone': 'west'}, {'zone': 'east'},
        {'resources': {'CUSTOM_GPU': 1}}, {'resources': {'CUSTOM_GPU': 2}},
        {'extra_specs': {'hw:numa_nodes': '1'}},
        {'extra_specs': {'hw:numa_nodes': '2'}},
    )
]


class RequestSpecsTest(testtools.TestCase):
    """Requests, one after the other."""

    def setUp(self):
        """Have Nova's objects, and the aggregate of a zone."""
        super().setUp()
        objects.register_all()
        self.zone = imported_specs.make_uuid('aggregate', 'west')
        self.aggregates = {
            ('availability_zone', 'west'): objects.Aggregate(uuid=self.zone),
        }
        self.specs = imported_specs.RequestSpecs(self.aggregates)

    def make(self, request, *names):
        """Return the spec of a request for servers."""
        return objects.RequestSpec.obj_from_primitive(
            self.specs.make(request, self.name(*names or 'a'))
        )

    @staticmethod
    def name(*names):
        """Return the UUIDs of servers."""
        return [imported_specs.make_uuid('server', name) for name in names]

    def test_owners(self):
        """Requests of one flavor have servers and owners of their own."""
        for request, names in (
            (FIRST, 'a'), (dataclasses.replace(FIRST, project='p'), 'b'),
            (dataclasses.replace(FIRST, user='u', count=2), 'cd'),
        ):
            spec = self.make(request, *names)
            self.assertEqual(self.name(names[0])[0], spec.instance_uuid)
            self.assertEqual(request.count, spec.num_instances)
            self.assertEqual(request.project, spec.project_id)
            self.assertEqual(request.user, spec.user_id)
            self.assertEqual(2048, spec.flavor.memory_mb)
            self.assertIsNone(spec.instance_group)

    def test_groups(self):
        """A group has the members of the requests before."""
        request = dataclasses.replace(
            FIRST, group='g', policy='affinity', project='p', user='u',
        )
        first = self.make(request, 'a', 'b').instance_group
        other = self.make(dataclasses.replace(
            request, group='h', policy='anti-affinity'
        ), 'c').instance_group
        second = self.make(request, 'd').instance_group
        self.assertEqual(self.name('a', 'b'), first.members)
        self.assertEqual(self.name('a', 'b', 'd'), second.members)
        self.assertEqual(self.name('c'), other.members)
        self.assertEqual(first.uuid, second.uuid)
        self.assertNotEqual(first.uuid, other.uuid)
        self.assertEqual(
            ('affinity', 'anti-affinity', 'p', 'u'),
            (first.policy, other.policy, other.project_id, other.user_id),
        )
        self.assertIsNone(self.make(FIRST).instance_group)

    def test_flavors(self):
        """Requests of other flavors and zones are as if they came alone."""
        seen = []
        for request in (FIRST, *OTHERS, FIRST):
            made = self.specs.make(request, self.name('a'))
            self.assertEqual(
                imported_specs.RequestSpecs(self.aggregates).make(
                    request, self.name('a')
                ), made,
            )
            seen.append(made)
        self.assertEqual(seen[0], seen[-1])
        for number, made in enumerate(seen[:-1]):
            self.assertNotIn(made, seen[:number])

    def test_zones(self):
        """A zone names its aggregate; an unknown one names no host's."""
        self.assertEqual(
            [self.zone], self.make(
                dataclasses.replace(FIRST, zone='west')
            ).requested_destination.aggregates,
        )
        self.assertNotIn(self.zone, self.make(
            dataclasses.replace(FIRST, zone='east')
        ).requested_destination.aggregates)

    def test_work(self):
        """Nova is asked about a flavor once, while few flavors are kept."""
        self.enterContext(mock.patch.object(
            imported_specs, '_MOST_KINDS', 2
        ))
        asked = self.enterContext(mock.patch.object(
            hardware, 'numa_get_constraints',
            wraps=hardware.numa_get_constraints,
        ))
        for _ in range(3):
            self.make(FIRST)
            self.make(OTHERS[0])
        self.assertEqual(2, asked.call_count)
        self.make(OTHERS[1])  # it is one too many
        self.make(OTHERS[1])
        self.assertEqual(3, asked.call_count)
        self.make(FIRST)
        self.assertEqual(4, asked.call_count)
