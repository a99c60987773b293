"""Kill a scheduler amid more boots than there is room for."""

import concurrent.futures
import datetime
import re
import unittest

from oslo_utils import timeutils

from nova_ext.lab.state import paths
from tests.faults import base

#: A host's resource tracker asks for each server's allocations whenever one is
#: built on it: it has few of them.
HOSTS = max(4, base.BOOTS // 25)
#: Servers that a host has room for, and all hosts.
ROOM_OF_HOST = base.BOOTS * 4 // 5 // HOSTS
ROOM = HOSTS * ROOM_OF_HOST
#: Seconds from a server's ERROR to the release of what it holds.
RELEASED_WITHIN_S = 60

#: Threads of a scheduler and of a conductor, and conductors.
_THREADS, _CONDUCTORS = 8, 8
#: Servers in one request. There are 50 requests, or fewer: conductors have a
#: thread for each, as else computes' calls wait behind those that wait for the
#: killed scheduler. A compute that gets no answer for a minute looks down, or
#: deletes the allocation of a server that it has built.
_AT_ONCE = max(5, base.BOOTS // 50)
_CLIENTS = 4
#: Seconds for which a conductor waits for a scheduler to begin. What waits for
#: the scheduler that lives is not lost: it would claim for it after its ERROR.
_PATIENCE_S = max(base.RPC_TIMEOUT_S, base.BOOTS // 5)
#: Seconds for which a scheduler holds claims before it answers.
_HELD_S = min(15, 2000 // base.BOOTS)
_SLOW = f'''
import time

from nova_ext.plugin import ComputeDriver


class SlowDriver(ComputeDriver):
    def on_scheduled(self, hosts, request, context):
        time.sleep({_HELD_S})
'''
_RELEASED = re.compile(
    r'(\S+ \S+) .*Released the allocation of server (\S+),'
)


@unittest.skipIf(base.STOCK, 'Nova releases nothing')
class KilledSchedulerTest(base.FaultTestCase):
    """Have two schedulers fill a cloud, and kill one amid of it.

    The one that is killed leads: the other has to take its place.
    """

    mirror = base.MIRROR
    up = None

    @classmethod
    def setUpClass(cls):
        """Bring a lab up with room for fewer servers than are booted."""
        super().setUpClass()
        slow = cls.home / 'slow.py'
        slow.write_text(_SLOW)
        settings = {
            'DEFAULT.debug': False,
            'DEFAULT.rpc_response_timeout': _PATIENCE_S,
            'DEFAULT.long_rpc_timeout': 2 * _PATIENCE_S,
            # Nova's defaults; a lab's are longer.
            'DEFAULT.service_down_time': 60,
            'DEFAULT.report_interval': 10,
            # Of a conductor, too. What waits for a scheduler is not lost.
            'DEFAULT.executor_thread_pool_size': _THREADS,
            'conductor.workers': _CONDUCTORS,
            'DEFAULT.initial_cpu_allocation_ratio': 1.0,
            'api.max_limit': 10 * base.BOOTS,
            'filter_scheduler.enabled_filters': 'ComputeFilter',
            'nova_ext.plugin_files': slow,
            'nova_ext.scheduler_driver': 'SlowDriver',
            'nova_ext.mirror': cls.mirror,
            # Slow cores read all hosts, which all change, in more than the
            # default of a minute.
            'nova_ext.mirror_max_age_s': 600,
        }
        size = f'vcpus={ROOM_OF_HOST},ram_mb=1000000,disk_gb=10000'
        cls.lab(
            'up', '--broker', 'rabbit', '--schedulers', '2', '--computes',
            *(f'cmp-{number}:{size}' for number in range(HOSTS)),
            *(word for name, value in settings.items()
              for word in ('--set', f'{name}={value}')),
        )

    def test_killed_scheduler(self):
        """Nothing is claimed twice or for nothing, and all room is used."""
        asked = self.ask(base.BOOTS // _AT_ONCE, _AT_ONCE)
        self.wait_until(
            lambda: len(self.list_claims()) >= ROOM // 3, base.DEADLINE_S
        )
        for process in self.tree('scheduler-1'):
            process.kill()
        servers = self.wait_until_built(asked)
        active, lost = self.judge(servers)
        self.assertNotEqual([], lost)
        waits = self.read_releases(servers)
        self.assertNotEqual({}, waits)
        print(
            f'{len(active)} ACTIVE, {len(lost)} lost, of which {len(waits)} '
            f'had a claim; released after {min(waits.values()):.0f} to '
            f'{max(waits.values()):.0f} s'
        )
        self.assertLessEqual(waits.keys(), {one['id'] for one in lost})
        self.assertLess(max(waits.values()), RELEASED_WITHIN_S)
        self.lab('restart', 'scheduler-1')
        # A request of several fails as a whole where there is too little room.
        asked += self.ask(
            max(0, (ROOM - len(active)) // _AT_ONCE - 2), _AT_ONCE
        )
        active, _ = self.judge(self.wait_until_built(asked))
        asked += self.ask(ROOM - len(active) + _AT_ONCE, 1)
        servers = self.wait_until_built(asked)
        active, lost_later = self.judge(servers)
        self.assertEqual((ROOM, lost), (len(active), lost_later))
        self.judge_mirrors()
        # Room for one afterwards.
        self.cloud().compute.delete(f'/servers/{active[0]["id"]}')
        self.wait_until(lambda: len(self.servers()) < len(servers))

    def judge_mirrors(self):
        """Look at what mirrors did; there are none."""

    def ask(self, requests, count):
        """Ask for servers, all at once.

        :param count: of servers in a request.
        :returns: the number of all servers.
        """
        cloud = self.cloud()
        image = cloud.get('image', '/v2/images?name=cirros')['images'][0]
        body = {'server': {
            'name': 'fault', 'flavorRef': '1', 'imageRef': image['id'],
            'networks': 'none', 'min_count': count, 'max_count': count,
        }}
        with concurrent.futures.ThreadPoolExecutor(_CLIENTS) as pool:
            list(pool.map(
                lambda _: cloud.compute.post('/servers', json=body),
                range(requests),
            ))
        return requests * count

    def judge(self, servers):
        """Check what servers hold in placement, and wait for it to be true.

        :returns: those that are ACTIVE, and those that a scheduler lost.
        """
        active = [one for one in servers if one['status'] == 'ACTIVE']
        self.assertEqual({'ACTIVE', 'ERROR'}, {
            one['status'] for one in servers
        })
        faults = {
            one['id']: one['fault']['message'] for one in servers
            if one['status'] == 'ERROR'
        }
        print(f'{len(active)} ACTIVE, {len(faults)} ERROR',
              {text: [*faults.values()].count(text)
               for text in faults.values()})
        expected = {
            one['id']: [(one['OS-EXT-SRV-ATTR:hypervisor_hostname'], 1)]
            for one in active
        }
        self.wait_until(
            lambda: self.list_claims() == expected, RELEASED_WITHIN_S
        )
        return active, [
            one for one in servers
            if faults.get(one['id']) == 'MessagingTimeout'
        ]

    def list_claims(self):
        """Return providers and processors of each consumer.

        Check that no provider has more of them than there are.
        """
        cloud, claims = self.cloud(), {}
        providers = cloud.get('placement', '/resource_providers')
        for provider in providers['resource_providers']:
            path = f'/resource_providers/{provider["uuid"]}/allocations'
            held = cloud.get('placement', path)['allocations']
            amounts = {
                uuid: each['resources']['VCPU'] for uuid, each in held.items()
            }
            self.assertLessEqual(sum(amounts.values()), ROOM_OF_HOST)
            for uuid, amount in amounts.items():
                claims.setdefault(uuid, []).append((provider['name'], amount))
        return claims

    def read_releases(self, servers):
        """Return after how many seconds in ERROR each server was released."""
        log = paths.find('default').log('scheduler-2').read_text()
        failed = {
            one['id']: timeutils.parse_isotime(one['fault']['created'])
            for one in servers if one['status'] == 'ERROR'
        }
        return {
            uuid: (
                datetime.datetime.fromisoformat(when).astimezone()
                - failed[uuid]
            ).total_seconds()
            for when, uuid in _RELEASED.findall(log)
        }


class MirroredTest(KilledSchedulerTest):
    """Do it with schedulers that decide from mirrors."""

    mirror = 'on'

    def judge_mirrors(self):
        """Most of the requests since the schedulers' start are theirs."""
        decided, left, mirrors = 0, {}, []

        def list_both():
            mirrors[:] = self.list_mirrors()
            return len(mirrors) == 2

        # One that is busy may be absent from the list.
        self.wait_until(list_both)
        for mirror in mirrors:
            decided += mirror['Decided']
            for reason, count in mirror['Fallbacks'].items():
                left[reason] = left.get(reason, 0) + count
        print(f'mirrors decided {decided}, and left to Nova {left}')
        self.assertLess(sum(left.values()) - left.get('no_host', 0), decided)
