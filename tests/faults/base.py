"""Boot servers in a lab during a fault, and see what is left of it."""

import concurrent.futures
import os
import threading
import time

from oslo_utils import timeutils

from tests.lab import base

#: Servers that are booted during each fault.
BOOTS = int(os.environ.get('NOVA_EXT_FAULT_BOOTS', '80'))
#: Requests before the fault begins, and after it is over.
BEFORE, AFTER = 20, BOOTS // 4
#: Seconds without a sign of life from the scheduler after which a conductor
#: gives its call up: Nova's own default.
RPC_TIMEOUT_S = 60
#: Seconds after which it is given up where the scheduler still lives.
LONG_RPC_TIMEOUT_S = 120
#: Seconds that a boot waits for its turn, and for all but that call.
SLACK_S = 240
#: Seconds in which all boots have ended, one way or the other.
DEADLINE_S = max(1800, 3 * BOOTS)

#: Seconds in which no boot ends, after which what is in BUILD stays there.
QUIET_S = LONG_RPC_TIMEOUT_S + 30
#: Whether Nova's own scheduler is tested.
STOCK = bool(os.environ.get('NOVA_EXT_FAULT_STOCK'))
#: What the mirror does.
MIRROR = os.environ.get('NOVA_EXT_FAULT_MIRROR', 'off')

_CLIENTS = 4
#: Lists of many servers keep the API from building them.
_POLL_S = max(2.0, BOOTS / 100)


class FaultTestCase(base.RabbitTestCase):
    """Use one lab with two schedulers; each test leaves it empty."""

    up = (
        '--broker', 'rabbit', '--schedulers', '2',
        '--computes', 'one', 'two', 'three',
        '--set', 'DEFAULT.debug=false',
        '--set', f'DEFAULT.rpc_response_timeout={RPC_TIMEOUT_S}',
        '--set', f'DEFAULT.long_rpc_timeout={LONG_RPC_TIMEOUT_S}',
        '--set', f'nova_ext.mirror={MIRROR}',
        *(('--stock',) if STOCK else ()),
    )

    def setUp(self):
        """Check in the end that nothing is left of the fault."""
        super().setUp()
        self.addCleanup(self.assert_nothing_left)

    def boot_during(self, fault=lambda: None):
        """Boot servers, and cause a fault meanwhile.

        :param fault: called once, after the first requests; by default it
            has begun already.
        :returns: the servers, see :meth:`wait_until_built`.
        """
        cloud = self.cloud()
        image = cloud.get('image', '/v2/images?name=cirros')['images'][0]
        enough, over = threading.Event(), threading.Event()
        server_ids = []

        def ask(number):
            if number >= BOOTS - AFTER:
                over.wait(DEADLINE_S)
            body = {'server': {
                'name': f'fault-{number}', 'flavorRef': '1',
                'imageRef': image['id'], 'networks': 'none',
            }}
            server = cloud.compute.post('/servers', json=body).json()['server']
            server_ids.append(server['id'])
            if len(server_ids) >= BEFORE:
                enough.set()

        with concurrent.futures.ThreadPoolExecutor(_CLIENTS + 1) as pool:
            boots = [pool.submit(ask, number) for number in range(BOOTS)]
            try:
                self.assertTrue(enough.wait(DEADLINE_S))
                fault()
            finally:
                over.set()
            for boot in boots:
                boot.result()
        return self.wait_until_built(len(server_ids))

    def wait_until_built(self, count):
        """Wait until all servers are ACTIVE, in ERROR, or BUILD for good."""
        deadline = time.monotonic() + DEADLINE_S
        waited, since = count, time.monotonic()
        while time.monotonic() - since < QUIET_S:
            waiting = len(self.servers('?status=BUILD'))
            if not waiting and len(self.servers()) == count:
                break
            if waiting != waited:
                waited, since = waiting, time.monotonic()
            self.assertLess(
                time.monotonic(), deadline,
                f'{waiting} of {count} servers still wait',
            )
            time.sleep(_POLL_S)
        # Nova says why only after it has set the state ERROR.
        self.wait_until(lambda: all(
            'fault' in one for one in self.servers('/detail')
            if one['status'] == 'ERROR'
        ))
        return self.servers('/detail')

    def servers(self, which=''):
        """Return every server of the lab; details of many take seconds."""
        return self.cloud().get('compute', f'/servers{which}')['servers']

    def outcomes(self, servers):
        """Return servers by their state: ACTIVE, ERROR and BUILD.

        Check that none has waited longer for its error than Nova allows.
        """
        active, failed, stuck = (
            [one for one in servers if one['status'] == status]
            for status in ('ACTIVE', 'ERROR', 'BUILD')
        )
        print(
            f'{self.id().rpartition(".")[2]}: {len(active)} ACTIVE, '
            f'{len(failed)} ERROR, {len(stuck)} BUILD',
            sorted({one['fault']['message'] for one in failed}),
        )
        for one in failed:
            self.assertLess(_seconds(one), LONG_RPC_TIMEOUT_S + SLACK_S)
        return active, failed, stuck

    def assert_nothing_left(self):
        """Check that servers boot, and that no allocation survives them."""
        self.assertEqual('ACTIVE', self.boot('afterwards')['status'])
        cloud = self.cloud()
        with concurrent.futures.ThreadPoolExecutor(_CLIENTS) as pool:
            list(pool.map(cloud.compute.delete, [
                f'/servers/{server["id"]}' for server in self.servers()
            ]))
        self.wait_until(lambda: not self.servers(), DEADLINE_S)
        providers = cloud.get('placement', '/resource_providers')
        for provider in providers['resource_providers']:
            path = f'/resource_providers/{provider["uuid"]}/allocations'
            self.assertEqual(
                {}, cloud.get('placement', path)['allocations'],
            )


def _seconds(server):
    """Return the seconds from a server's creation to its error."""
    created, failed = (
        timeutils.parse_isotime(when)
        for when in (server['created'], server['fault']['created'])
    )
    return (failed - created).total_seconds()
