"""A lab under boots, and what is left of it after."""

import concurrent.futures
import os
import threading
import time

from oslo_utils import timeutils

from tests.lab import base

#: Servers that are asked for during each fault.
BOOTS = int(os.environ.get('NOVA_EXT_FAULT_BOOTS', '200'))
#: Boots that have been asked for when the fault begins, and that are when it
#: is over.
BEFORE, AFTER = 20, BOOTS // 4
#: Seconds without a sign of life from the scheduler after which a conductor
#: gives its call up: Nova's own default.
RPC_TIMEOUT_S = 60
#: Seconds after which it is given up where the scheduler still lives.
LONG_RPC_TIMEOUT_S = 120
#: Seconds that a boot waits for its turn, and for all but that call.
SLACK_S = 240
#: Seconds in which all boots have ended, one way or the other.
DEADLINE_S = 1800

#: Seconds in which no boot ends, after which what is in BUILD stays there.
QUIET_S = LONG_RPC_TIMEOUT_S + 30
#: Whether it is asked what becomes of Nova's own scheduler.
STOCK = bool(os.environ.get('NOVA_EXT_FAULT_STOCK'))

_CLIENTS = 4
_POLL_S = 2.0


class FaultTestCase(base.RabbitTestCase):
    """One lab with two schedulers; each test leaves it empty."""

    up = (
        '--broker', 'rabbit', '--schedulers', '2',
        '--computes', 'one', 'two', 'three',
        '--set', 'DEFAULT.debug=false',
        '--set', f'DEFAULT.rpc_response_timeout={RPC_TIMEOUT_S}',
        '--set', f'DEFAULT.long_rpc_timeout={LONG_RPC_TIMEOUT_S}',
        *(('--stock',) if STOCK else ()),
    )

    def setUp(self):
        """See in the end, when the fault is over, what is left of it."""
        super().setUp()
        self.addCleanup(self.assert_nothing_left)

    def boot_during(self, fault=lambda: None):
        """Boot servers, and have something happen meanwhile.

        :param fault: called once, when some boots have been asked for;
            without, it has begun already.
        :returns: the servers, see :meth:`settled`.
        """
        cloud = self.cloud()
        image = cloud.get('image', '/v2/images?name=cirros')['images'][0]
        enough, over = threading.Event(), threading.Event()
        asked = []

        def ask(number):
            if number >= BOOTS - AFTER:
                over.wait(DEADLINE_S)
            body = {'server': {
                'name': f'fault-{number}', 'flavorRef': '1',
                'imageRef': image['id'], 'networks': 'none',
            }}
            made = cloud.compute.post('/servers', json=body).json()['server']
            asked.append(made['id'])
            if len(asked) >= BEFORE:
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
        return self.settled(len(asked))

    def settled(self, count):
        """Wait until all servers are ACTIVE or in ERROR.

        Or given up by Nova without a word, and in BUILD for good.
        """
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
        """Every server of the lab; all details of many take seconds."""
        return self.cloud().get('compute', f'/servers{which}')['servers']

    def outcomes(self, found):
        """Servers by what became of them: ACTIVE, in ERROR, in BUILD.

        None of those that failed has waited longer than Nova lets it.
        """
        active, failed, stuck = (
            [one for one in found if one['status'] == status]
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
        """Servers boot after it, and no allocation survives them."""
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
    """From a server's creation to its error."""
    created, failed = (
        timeutils.parse_isotime(when)
        for when in (server['created'], server['fault']['created'])
    )
    return (failed - created).total_seconds()
