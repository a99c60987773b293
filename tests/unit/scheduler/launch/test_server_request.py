"""What may be asked of schedule_run_instance."""

import testtools

from nova_ext.core.base.scheduling_errors import WrongArgumentsError
from nova_ext.core.rpc.boot_request import BootFlavor, BootRequest
from nova_ext.scheduler.launch.server_request import Wish

SERVER = {'name': 'web', 'flavorRef': '1', 'availability_zone': 'east'}


class WishTest(testtools.TestCase):
    """Servers without a host."""

    def test_refused(self):
        """Each with what is wrong."""
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
                WrongArgumentsError, Wish, server, count, hints
            )
            self.assertIn(words, str(error))

    def test_boot_request(self):
        """Hints are lists of texts, as Nova keeps them; no image: a volume."""
        asked = []

        class Api:
            def get(self, path, microversion):
                asked.append(path)

        wish = Wish(
            {**SERVER, 'flavorRef': 'http://nova/flavors/1'}, 2,
            {'group': 'g', 'racks': [1, 'a']},
        )
        self.assertEqual(
            BootRequest(
                BootFlavor(0, 0, flavorid='1'), stored_flavor=True,
                boot_from_volume=True, availability_zone='east', count=2,
                hints={'group': ['g'], 'racks': ['1', 'a']},
            ), wish.boot_request(Api()),
        )
        self.assertEqual(['/flavors/1'], asked)

    def test_body(self):
        """One is named as it was asked for; several are numbered."""
        one = Wish(SERVER, 1, {'group': 'g'}).body(0, {'offer': 'o'})
        self.assertEqual({
            'server': SERVER,
            'os:scheduler_hints': {'group': 'g', 'offer': 'o'},
        }, one)
        third = Wish(SERVER, 3, {}).body(2, {})
        self.assertEqual('web-3', third['server']['name'])
        self.assertEqual('web', SERVER['name'])
