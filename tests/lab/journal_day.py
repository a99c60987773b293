"""Run a day of boots, moves and deletions on two schedulers of two workers."""

import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import ClassVar

from nova_ext.journal import contents
from nova_ext.journal.reader import JournalReader
from nova_ext.lab.services import rabbit, servers
from nova_ext.lab.state import paths
from tests.lab import base, drawn_cloud

OPERATIONS = int(os.environ.get('NOVA_EXT_DAY_OPERATIONS') or 200)
#: Folder to which the journals are copied; empty: they are not.
KEEP = os.environ.get('NOVA_EXT_DAY_JOURNALS', '')
SCHEDULERS, WORKERS = ('scheduler-1', 'scheduler-2'), 2
#: Operations that are done side by side.
_AT_ONCE = 6
#: Servers that are left for moves, and those that are too many.
_FEW, _MANY = 12, 40


class JournalDayTestCase(drawn_cloud.DrawnCloudTestCase):
    """Run a day, and count what the journal has of it."""

    deadline_s = 1800
    words = ('--broker', 'rabbit', '--schedulers', str(len(SCHEDULERS)))
    settings: ClassVar = {
        'filter_scheduler.enabled_filters': ','.join(drawn_cloud.FILTERS),
        'nova_ext.journal': True,
        'scheduler.workers': WORKERS,
        'DEFAULT.update_resources_interval': 5,
        # A busy machine loses no host.
        'DEFAULT.service_down_time': 3600,
    }

    @staticmethod
    def require():
        """Find RabbitMQ."""
        rabbit.find_program()

    def setUp(self):
        """Find an image."""
        super().setUp()
        self.image = servers.find_image(self.cloud(), 'cirros')['id']
        self.other = servers.find_image(self.cloud(), 'cirros-alt')['id']
        self.foreign = servers.find_image(
            self.cloud(), drawn_cloud.FOREIGN
        )['id']
        self.lab_folder = paths.find('default')

    def run_day(self):
        """Do all operations, and evacuate servers at last."""
        self.done = Counter()
        begun = time.monotonic()
        while self.done.total() < OPERATIONS - 2 * _AT_ONCE:
            self.change_cloud()
            self.run_batch()
            print(
                f'{self.done.total()} operations after '
                f'{time.monotonic() - begun:.0f} s', file=sys.stderr,
            )
        down = self.chance.sample(self.hosts, 3)
        self.change_services({'forced_down': True}, *down)
        lost = [
            server for server in self.list_servers() if server.host in down
            and server.state == 'active'
        ]
        while self.done.total() < OPERATIONS and lost:
            self.run_together([
                (self.act, server.id, {'evacuate': {}}, 'evacuate')
                for server in lost[:_AT_ONCE]
            ])
            lost = lost[_AT_ONCE:]
        while self.done.total() < OPERATIONS:
            self.run_together([self.draw_creation(self.list_servers())])
            self.wait_until(self.is_at_rest, 'rest')
        print(dict(self.done), file=sys.stderr)

    def change_cloud(self):
        """Now and then change an aggregate or a compute service."""
        draw = self.chance
        kind = draw.randrange(10)
        if kind == 0:
            host = draw.choice(self.hosts)
            self.change_services({'status': 'disabled'}, host)
            self.disabled = host
        elif kind == 1:
            self.change_services({'status': 'enabled'}, *self.hosts)
        elif kind == 2:
            (aggregate,) = (
                each for each in self.nova.get('/os-aggregates').json()[
                    'aggregates'
                ] if each['name'] == 'fast'
            )
            verb = draw.choice(('add_host', 'remove_host'))
            self.nova.post(
                f'/os-aggregates/{aggregate["id"]}/action', raise_exc=False,
                json={verb: {'host': draw.choice(self.hosts)}},
            )

    def run_batch(self):
        """Do some operations side by side, each on another server."""
        alive = self.list_servers()
        free = [each for each in alive if each.state != 'building']
        self.chance.shuffle(free)
        works = []
        for _ in range(_AT_ONCE):
            works.append(self.draw_work(alive, free))
        self.run_together(works)
        self.wait_until(self.is_at_rest, 'rest')

    def run_together(self, works):
        """Do work in threads, and count what Nova accepted."""
        with concurrent.futures.ThreadPoolExecutor(_AT_ONCE) as pool:
            for (*_, kind), answer in zip(works, pool.map(
                lambda work: work[0](*work[1:-1]), works
            ), strict=True):
                self.done[kind] += bool(answer)

    def draw_work(self, alive, free):
        """Return a function, its arguments and the operation's name.

        :param free: servers that no other operation of the batch is for.
        """
        draw = self.chance
        lot = draw.random() + (len(alive) > _MANY)
        if not free or len(alive) < _FEW or lot < 0.45:
            return self.draw_creation(alive)
        server = free.pop()
        if server.state not in ('active', 'shelved_offloaded') or (
            lot > 0.7
        ):
            return self.delete, server.id, 'deletion'
        return self.draw_move(server)

    def draw_creation(self, alive):
        """Return a function that boots servers, and its arguments."""
        draw = self.chance
        body = self.draw_boot(
            draw.choice((self.image,) * 9 + (self.foreign,)),
            [server.id for server in alive],
        )
        body['server'].pop('host', None)
        count = draw.choice((1, 1, 1, 1, 2, 3))
        body['server'] |= {'min_count': count, 'max_count': count}
        return self.create, body, 'boot'

    def draw_move(self, server):
        """Return a function that moves a server, and its arguments."""
        draw = self.chance
        if server.state == 'shelved_offloaded':
            return self.act, server.id, {'unshelve': None}, 'unshelve'
        kind = draw.choice((
            'migrate', 'resize', 'live-migrate', 'shelve', 'rebuild',
        ))
        host = draw.choice(self.hosts) if draw.random() < 0.3 else None
        action, microversion = {
            'migrate': (
                {'migrate': {'host': host} if host else None}, '2.56'
            ),
            'resize': ({'resize': {
                'flavorRef': draw.choice(list(drawn_cloud.FLAVORS)),
            }}, None),
            'live-migrate': ({'os-migrateLive': {
                'host': host, 'block_migration': 'auto',
            }}, '2.30'),
            'shelve': ({'shelve': None}, None),
            'rebuild': ({'rebuild': {
                'imageRef': draw.choice((self.other, self.foreign)),
            }}, None),
        }[kind]
        return self.move, server.id, action, microversion, kind

    def create(self, body):
        """Boot servers; say whether Nova accepted that."""
        return self.nova.post(
            '/servers', json=body, raise_exc=False
        ).status_code == 202

    def delete(self, server):
        """Delete a server; say whether Nova accepted that."""
        return self.nova.delete(
            f'/servers/{server}', raise_exc=False
        ).status_code == 204

    def move(self, server, action, microversion):
        """Move a server, and confirm it."""
        request = self.act(server, action, microversion)
        if self.read(
            "SELECT id FROM instances WHERE uuid = ? AND "
            "vm_state = 'resized'", server,
        ):
            self.act(server, {'confirmResize': None})
        return request

    def is_at_rest(self):
        """Say whether no server is being built, moved or deleted."""
        return self.is_built() and not self.read(
            'SELECT id FROM instances WHERE deleted = 0 AND '
            'task_state IS NOT NULL'
        )

    def count_lines(self, text):
        """Count lines of the schedulers' logs."""
        return sum(
            self.lab_folder.log(name).read_text().count(text)
            for name in SCHEDULERS
        )

    @property
    def folder(self):
        """Return the folder of the journal."""
        return self.lab_folder.path / 'state' / 'nova-ext' / 'journal'

    def count_decisions(self):
        """Return how many decisions each worker's file has."""
        return {
            path.name: sum(1 for _ in JournalReader(path))
            for path in contents.find_files([self.folder])
        }

    def replay(self, *words):
        """Run nova-ext replay; return its document."""
        done = subprocess.run(
            [base.BIN / 'nova-ext', 'replay', self.folder, '-f', 'json',
             *words], capture_output=True, text=True, timeout=self.deadline_s,
        )
        self.assertIn(done.returncode, (0, 3, 4), done.stderr)
        return json.loads(done.stdout)

    def verify(self, *words):
        """Verify the journal: exact decisions are as they were.

        :returns: what it says, and which requests are not in the journal.
        """
        if KEEP:
            shutil.copytree(self.folder, Path(KEEP, type(self).__name__))
        begun = time.monotonic()
        document = self.replay('--verify', *words)
        said = document['verification']
        print(
            f'verified in {time.monotonic() - begun:.0f} s: '
            f'{said["sentence"]}', *said['missing'], *document['notes'],
            sep='\n', file=sys.stderr,
        )
        self.assertEqual([], said['differences'])
        return said, document.get('unseen')
