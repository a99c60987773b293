"""Draw a lab's hosts and servers, so that moves are hard to decide."""

import contextlib
import json
import os
import random
import sqlite3
import sys
import time
from typing import ClassVar, NamedTuple

from nova_ext.core.decision.decision import Decision
from nova_ext.lab.services import servers
from nova_ext.lab.state import paths
from tests.lab import base

#: What is drawn depends on it alone.
SEED = int(os.environ.get('NOVA_EXT_MOVES_SEED') or 0) or (
    random.SystemRandom().randrange(1, 10**6)
)
RACKS, HOSTS_A_RACK = 4, 3
#: vCPUs, MiB, GiB, and whether it needs an aggregate; by name.
FLAVORS = {
    'thin': (1, 512, 5, False), 'usual': (2, 2048, 10, False),
    'wide': (4, 4096, 0, False), 'fast': (2, 2048, 0, True),
    'stored': (1, 3072, 40, False),
}
POLICIES = (
    'affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity',
)
FILTERS = (
    'ComputeFilter', 'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    'AggregateInstanceExtraSpecsFilter', 'DifferentHostFilter',
    'SameHostFilter', 'SpecifiedHostFilter',
)
#: Lines of logs that are shown where Nova fails.
_ERROR_LINES = 60
#: An image that no fake host may run.
FOREIGN = 'foreign'
#: Servers that evacuation leaves as they were: before 2.95.
ACTIVE_AFTER = '2.94'
_DEADLINE_S = 240
_RECORDED_S = 30
_POLL_S = 0.3


def read_errors():
    """Return the last lines in which the lab's services say what failed."""
    lines = [
        line for log in sorted(
            paths.find('default').log('nova').parent.glob('*.log')
        ) for line in log.read_text(errors='replace').splitlines()
        if ' ERROR ' in line
    ]
    return '\n'.join(lines[-_ERROR_LINES:])


class Server(NamedTuple):
    """Represent a server as Nova's database has it."""

    id: str
    host: str
    state: str


class DrawnCloudTestCase(base.LabTestCase):
    """Start a lab of drawn hosts; each class has one."""

    up = None
    deadline_s = 600
    #: Other words of ``up``.
    words: tuple[str, ...] = ()
    settings: ClassVar = {
        'filter_scheduler.enabled_filters': ','.join(FILTERS),
        # A live migration is counted then on its new host.
        'DEFAULT.update_resources_interval': 5,
        # Computes go on counting work that has ended.
        'filter_scheduler.io_ops_weight_multiplier': 0.0,
        # A fake host reports 0 GB of free disk, whatever it has.
        'filter_scheduler.disk_weight_multiplier': 0.0,
        # Computes tell schedulers up to two minutes late which servers were
        # live-migrated: between a simulation and the move, too.
        'filter_scheduler.track_instance_changes': False,
        # Hosts are lost by force; a busy machine loses none.
        'DEFAULT.service_down_time': 3600,
    }

    @classmethod
    def setUpClass(cls):
        """Draw the hosts."""
        super().setUpClass()
        cls.chance = random.Random(f'{cls.__name__} {SEED}')  # noqa: S311
        draw = cls.chance.choice
        hosts = [
            f'r{rack}-{number}:vcpus={draw((4, 8))},'
            f'ram_mb={draw((8192, 12288, 12288))},disk_gb={draw((60, 120))},'
            f'az={"west" if rack < 3 else "east"}'
            for rack in range(1, RACKS + 1)
            for number in range(1, HOSTS_A_RACK + 1)
        ]
        cls.lab('up', '--computes', *hosts, *cls.words, *(
            f'--set={name}={value}' for name, value in cls.settings.items()
        ))
        cls.hosts = [host.split(':')[0] for host in hosts]

    def setUp(self):
        """Make flavors, an aggregate, groups and an image."""
        super().setUp()
        print(f'NOVA_EXT_MOVES_SEED={SEED}', file=sys.stderr)
        cloud = self.cloud()
        # The lab's servers close what is idle for a minute, even if a request
        # is on its way then.
        cloud.session.session.headers['Connection'] = 'close'
        self.nova, self.scheduler = cloud.compute, cloud.service('scheduler')
        for name, (vcpus, ram, disk, is_fast) in FLAVORS.items():
            self.nova.post('/flavors', json={'flavor': {
                'id': name, 'name': name, 'vcpus': vcpus, 'ram': ram,
                'disk': disk,
            }})
            if is_fast:
                self.nova.post(f'/flavors/{name}/os-extra_specs', json={
                    'extra_specs': {
                        'aggregate_instance_extra_specs:fast': 'true',
                    },
                })
        aggregate = self.nova.post('/os-aggregates', json={
            'aggregate': {'name': 'fast'},
        }).json()['aggregate']['id']
        path = f'/os-aggregates/{aggregate}/action'
        self.nova.post(path, json={
            'set_metadata': {'metadata': {'fast': 'true'}},
        })
        for host in self.chance.sample(self.hosts, 6):
            self.nova.post(path, json={'add_host': {'host': host}})
        self.groups = [
            self.nova.post('/os-server-groups', json={'server_group': {
                'name': policy, 'policy': policy,
            }}).json()['server_group']['id'] for policy in POLICIES * 2
        ]
        image = self.cloud().image.post('/v2/images', json={
            'name': FOREIGN, 'visibility': 'public',
            'container_format': 'bare', 'disk_format': 'raw',
            'hw_architecture': 'aarch64',
        }).json()['id']
        self.cloud().image.put(
            f'/v2/images/{image}/file', data=b'\0' * 512,
            headers={'Content-Type': 'application/octet-stream'},
        )
        # What a host keeps for itself.
        (self.own_mb,), *_ = self.read(
            'SELECT memory_mb_used FROM compute_nodes'
        )

    def read(self, query, *values, database='nova'):
        """Return rows of the lab's database: a question to Nova costs more."""
        path = paths.find('default').databases / f'{database}.sqlite'
        with contextlib.closing(
            sqlite3.connect(f'file:{path}?mode=ro', uri=True, timeout=60)
        ) as connection:
            return connection.execute(query, values).fetchall()

    def list_servers(self):
        """Return the servers that have or had a host, in order of age."""
        return [
            Server(*row) for row in self.read(
                'SELECT uuid, host, vm_state FROM instances '
                'WHERE deleted = 0 ORDER BY id'
            )
        ]

    def find_server(self, server):
        """Return a server by its ID."""
        return next(each for each in self.list_servers() if each.id == server)

    def fill(self, batches):
        """Boot ten servers at a time; delete those that find no host."""
        image = servers.find_image(self.cloud(), 'cirros')['id']
        for _ in range(batches):
            known = [server.id for server in self.list_servers()]
            for _ in range(10):
                body = self.draw_boot(image, known)
                self.nova.post('/servers', json=body, raise_exc=False)
            self.wait_until(self.is_built, 'servers')
        failed = self.nova.get('/servers?all_tenants=1&status=ERROR').json()
        for server in failed['servers']:
            self.nova.delete(f'/servers/{server["id"]}')
        self.settle()

    def is_built(self):
        """Say whether no server is being built."""
        return not self.read(
            'SELECT id FROM build_requests', database='nova_api'
        ) and not self.read(
            "SELECT id FROM instances WHERE deleted = 0 AND "
            "vm_state = 'building'"
        )

    def draw_boot(self, image, known):
        """Return the body of a boot; what it asks for may be impossible.

        :param known: IDs of servers that a hint may name.
        """
        draw = self.chance
        server, hints = {
            'name': 's', 'networks': 'none', 'imageRef': image,
            'flavorRef': draw.choice(list(FLAVORS)),
        }, {}
        host, place = draw.choice(self.hosts), draw.randrange(10)
        if place < 2:
            server['availability_zone'] = draw.choice(('west', 'east'))
        elif place == 2:
            zone = 'west' if host < 'r3' else 'east'
            server['availability_zone'] = f'{zone}:{host}'
        elif place == 3:
            server['host'] = host
        if draw.random() < 0.4:
            hints['group'] = draw.choice(self.groups)
        elif draw.random() < 0.2 and known:
            hint = draw.choice(('different_host', 'same_host'))
            hints[hint] = draw.choice(known)
        return {'server': server, 'os:scheduler_hints': hints}

    def settle(self, down=()):
        """Wait until Nova's computes have counted what runs.

        :param down: hosts that may be behind.
        """
        self.wait_until(lambda: self.is_settled(down), 'rest')

    def is_settled(self, down=()):
        """Say whether nothing happens, and what is used is known."""
        if self.read(
            'SELECT id FROM instances WHERE deleted = 0 AND '
            'task_state IS NOT NULL'
        ):
            return False
        used = dict(self.read(
            "SELECT host, sum(memory_mb) FROM instances WHERE deleted = 0 "
            "AND vm_state != 'shelved_offloaded' GROUP BY host"
        ))
        return all(
            memory_mb == used.get(host, 0) + self.own_mb
            for host, memory_mb in self.read(
                'SELECT host, memory_mb_used FROM compute_nodes'
            ) if host not in down
        )

    def wait_until(self, condition, words):
        """Wait until a condition holds, and return it."""
        deadline = time.monotonic() + _DEADLINE_S
        while not (result := condition()):
            if time.monotonic() > deadline:
                raise AssertionError(f'waited {_DEADLINE_S} s for {words}')
            time.sleep(_POLL_S)
        return result

    def act(self, server, action, microversion=None):
        """Ask Nova for an action, and wait until it has ended.

        :returns: the ID of the request; empty: nova-api refused it.
        """
        answer = self.nova.post(
            f'/servers/{server}/action', json=action, raise_exc=False,
            **({'microversion': microversion} if microversion else {}),
        )
        if answer.status_code >= 500:
            raise AssertionError(f'{action}: {answer.text}\n{read_errors()}')
        if answer.status_code >= 400:
            print(action, answer.text, file=sys.stderr)
            return ''
        request = answer.headers['x-openstack-request-id']

        def ended():
            (begun, done), = self.read(
                'SELECT count(*), count(e.finish_time) '
                'FROM instance_actions_events e '
                'JOIN instance_actions a ON e.action_id = a.id '
                'WHERE a.request_id = ?', request,
            )
            return begun and begun == done and not self.read(
                'SELECT id FROM instances WHERE uuid = ? AND '
                'task_state IS NOT NULL', server,
            )

        self.wait_until(ended, f'{action} of {server}')
        return request

    def find_decision(self, request, server):
        """Return the last decision of a request on a server, or None.

        The record is written after the answer, and None is waited for.
        """
        deadline = time.monotonic() + _RECORDED_S
        while True:
            decision = self.read_decision(request, server)
            if decision or time.monotonic() > deadline:
                return decision
            time.sleep(_POLL_S)

    def read_decision(self, request, server):
        """Return what the record has by now."""
        decisions = []
        with paths.find('default').record.open(encoding='utf-8') as lines:
            for line in lines:
                if request in line and server in line:
                    data = json.loads(line)
                    if data.get('request_id') == request:
                        decisions.append(Decision.from_dict(data))
        return decisions[-1] if decisions else None

    def change_services(self, change, *hosts):
        """Change the compute services of hosts."""
        listed = self.nova.get('/os-services?binary=nova-compute').json()
        for service in listed['services']:
            if service['host'] in hosts:
                self.nova.put(f'/os-services/{service["id"]}', json=change)

    def bring_back(self, *hosts):
        """Start hosts again that were lost, and heal their servers."""
        self.lab('restart', 'nova')
        self.change_services({'forced_down': False}, *hosts)
        for server in self.list_servers():
            if server.state == 'error':
                self.heal(server.id)
        self.settle()

    def heal(self, server):
        """Take a server out of ERROR."""
        self.nova.post(f'/servers/{server}/action', json={
            'os-resetState': {'state': 'active'},
        })
