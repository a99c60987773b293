"""Test requests for a simulation."""

import json

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc import boot_request as w

FLAVOR = {'vcpus': 1, 'memory_mb': 512}


class WhatIfTest(testtools.TestCase):
    """Requests and changes as plain data."""

    def test_there_and_back(self):
        """Every field survives."""
        request = w.BootRequest(
            w.BootFlavor(2, 512, 1, extra_specs={'a': 'b'}),
            {'id': 'i', 'properties': {'hw_disk_bus': 'virtio'}}, True,
            'zone', {'group': 'g', 'different_host': ['a', 'b']}, 'h', 'n',
            ['x'], 'p', 'u', 3,
        )
        changes = w.Changes(['ComputeFilter'], {'RAMWeigher': -1.0}, 'D')
        for message in (request, changes):
            data = json.loads(json.dumps(message.to_dict()))
            self.assertEqual(message, type(message).from_dict(data))

    def test_refused(self):
        """One line says what is wrong."""
        for data, words in (
            ({}, "missing 1 required positional argument: 'flavor'"),
            ({'flavor': 'm1.small'}, 'str where dict belongs'),
            ({'flavor': {'vcpus': 1}}, 'memory_mb'),
            ({'flavor': FLAVOR, 'availabilty_zone': 'a'},
             'BootRequest has no availabilty_zone'),
            ({'flavor': FLAVOR, 'count': 0}, 'count is 0'),
            ({'flavor': FLAVOR, 'count': w.MAX_SERVERS + 1}, 'not 1 to 100'),
            ({'flavor': FLAVOR, 'count': '1'}, 'str where int belongs'),
            ({'flavor': FLAVOR, 'hints': {'a': [1]}}, 'hint a'),
            ({'flavor': FLAVOR, 'availability_zone': 'a:b:c:d'},
             'no zone:host:node'),
            ({'flavor': FLAVOR, 'image': {'properties': 5}},
             'properties of the image are no mapping'),
            ({'flavor': {**FLAVOR, 'flavorid': '\ud800'}},
             'half of a surrogate pair'),
        ):
            error = self.assertRaises(
                WrongArgumentsError, w.BootRequest.from_dict, data
            )
            self.assertIn(words, str(error))
            self.assertNotIn('\n', str(error))

    def test_cpus(self):
        """Take the maximum, and other numbers of any size."""
        most = w.MAX_CPUS
        flavor = w.BootFlavor(most, 1, extra_specs={
            'hw:cpu_max_threads': str(most), 'hw:mem_page_size': '1048576',
        })
        self.assertEqual(w.MAX_SERVERS, w.BootRequest(
            flavor, count=w.MAX_SERVERS
        ).count)
        for fields in (
            {'vcpus': most + 1},
            {'vcpus': 1, 'extra_specs': {'hw:numa_cpus.0': str(most + 1)}},
            {'vcpus': 1, 'extra_specs': {'hw:numa_cpus.0': '0-999_999_999'}},
            {'vcpus': 1, 'extra_specs': {
                f'hw:numa_cpus.{cell}': f'^0 - +{most // 2}'
                for cell in range(3)
            }},
        ):
            self.assertRaises(
                WrongArgumentsError, w.BootFlavor, memory_mb=1, **fields
            )

    def test_refused_changes(self):
        """A multiplier is a number that one can multiply by."""
        for data in (
            {'multipliers': {'W': float('nan')}}, {'multipliers': {'W': ''}},
            {'filters': 'ComputeFilter'}, {'weighers': []},
        ):
            self.assertRaises(
                WrongArgumentsError, w.Changes.from_dict, data
            )

    def test_zone_host_and_node(self):
        """As an administrator writes them."""
        for written, meant in (
            ('', ('', '', '')), ('a', ('a', '', '')),
            ('a:h', ('a', 'h', '')), ('a:h:n', ('a', 'h', 'n')),
            ('a::n', ('a', '', 'n')), (':h', ('', 'h', '')),
        ):
            request = w.BootRequest(
                w.BootFlavor(1, 1), availability_zone=written
            )
            self.assertEqual(meant, request.zone_host_and_node)
