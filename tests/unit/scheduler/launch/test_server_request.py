"""Check requests of schedule_run_instance."""

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest
from nova_ext.scheduler.launch.server_request import ServerRequest

SERVER = {'name': 'web', 'flavorRef': '1', 'availability_zone': 'east'}


class ServerRequestTest(testtools.TestCase):
    """Request servers without a host."""

    def test_refused(self):
        """Refuse malformed requests, and say why."""
        for server, count, hints, words in (
            ([], 1, {}, 'mappings'), (SERVER, 1, [], 'mappings'),
            (SERVER, 0, {}, 'count'), (SERVER, 101, {}, 'count'),
            (SERVER, True, {}, 'count'), (SERVER, '2', {}, 'count'),
            ({**SERVER, 'host': 'h'}, 1, {}, 'host is not taken'),
            ({**SERVER, 'hypervisor_hostname': 'h'}, 1, {}, 'hypervisor_'),
            ({**SERVER, 'min_count': 1}, 1, {}, 'min_count is not taken'),
            ({**SERVER, 'max_count': 9}, 1, {}, 'max_count is not taken'),
            ({**SERVER, 'return_reservation_id': True}, 1, {},
             'return_reservation_id is not taken'),
            ({**SERVER, 'availability_zone': 'east:h'}, 1, {},
             'availability_zone names a host'),
            ({'name': 'web'}, 1, {}, 'flavorRef'),
        ):
            error = self.assertRaises(
                WrongArgumentsError, ServerRequest, server, count, hints
            )
            self.assertIn(words, str(error))

    def test_boot_request(self):
        """List hints as texts, as Nova keeps them; boot from a volume."""
        paths = []

        class Api:
            def get(self, path, microversion):
                paths.append(path)

        request = ServerRequest(
            {**SERVER, 'flavorRef': 'http://nova/flavors/1'}, 2,
            {'group': 'g', 'racks': [1, 'a']},
        )
        self.assertEqual(
            BootRequest(
                BootFlavor(0, 0, flavorid='1'), stored_flavor=True,
                boot_from_volume=True, availability_zone='east', count=2,
                hints={'group': ['g'], 'racks': ['1', 'a']},
            ), request.describe_boot(Api()),
        )
        self.assertEqual(['/flavors/1'], paths)

    def test_body(self):
        """Keep the name of one server; number several."""
        one = ServerRequest(SERVER, 1, {'group': 'g'}).body(0, {'offer': 'o'})
        self.assertEqual({
            'server': SERVER,
            'os:scheduler_hints': {'group': 'g', 'offer': 'o'},
        }, one)
        third = ServerRequest(SERVER, 3, {}).body(2, {})
        self.assertEqual('web-3', third['server']['name'])
        self.assertEqual('web', SERVER['name'])
