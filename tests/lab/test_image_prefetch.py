"""Install the example, whose services and command need no Nova."""

import concurrent.futures
import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from testtools import testcase

from tests.lab import base

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / 'examples' / 'image-prefetch'
CONSTRAINTS = ROOT / 'constraints' / '2026.2.txt'
#: Hosts, the groups that they are in, and the MiB that they have for images.
HOSTS = {'i-1': ('ssd', 40), 'i-2': ('ssd, eu', 30), 'i-3': ('ssd', 20),
         'i-4': ('hdd', 90)}
INTERVAL_S = 2
#: What a program needs to schedule onto a topic.
TEN_LINES = '''
import sys
from oslo_config import cfg
from oslo_context import context
from nova_ext.client import SchedulerClient
cfg.CONF(['--config-file', sys.argv[1]], project='nova')
with SchedulerClient() as scheduler:
    chosen = scheduler.schedule(
        context.RequestContext(), 'image_prefetch', 'choose',
        image='x', size_mb=1, group=sys.argv[2])
print(*chosen['hosts'])
'''


class ImagePrefetchTest(base.RabbitTestCase):
    """Run a scheduler that has the example, and hosts that have no Nova."""

    up = None

    @classmethod
    def setUpClass(cls):
        """Install, for the scheduler and for the hosts, and start."""
        super().setUpClass()
        plugins = cls.home / 'plugins'
        cls.fresh = cls.home / 'fresh'
        wheel = cls.wheel()
        with concurrent.futures.ThreadPoolExecutor() as pool:
            fresh = pool.submit(cls.make_fresh, wheel)
            cls.command(
                'python', '-m', 'pip', 'install', '--quiet', '--no-deps',
                '--target', str(plugins), wheel,
            )
            os.environ['PYTHONPATH'] = str(plugins)
            cls.addClassCleanup(os.environ.pop, 'PYTHONPATH')
            cls.lab(
                'up', '--broker', 'rabbit', '--computes', 'one',
                '--set', 'nova_ext.scheduler_driver=FilterScheduler',
                '--set', 'nova_ext.scheduler_driver=ImagePrefetchDriver',
            )
            fresh.result()
        cls.source = cls.home / 'images'
        cls.source.mkdir()
        content = b'cirros' * 10**6
        (cls.source / 'cirros.img').write_bytes(content)
        (cls.source / 'cirros.img.sha256').write_text(
            f'{hashlib.sha256(content).hexdigest()}  cirros.img\n'
        )

    @classmethod
    def wheel(cls):
        """Return the example's wheel, built outside the tree."""
        folder = cls.home / 'example'
        shutil.copytree(EXAMPLE, folder)
        cls.command(
            'python', '-m', 'pip', 'wheel', '--quiet', '--no-index',
            '--no-deps', '--no-build-isolation', '--wheel-dir', str(folder),
            str(folder),
        )
        (wheel,) = folder.glob('*.whl')
        return str(wheel)

    @classmethod
    def make_fresh(cls, wheel):
        """Make an environment with the example and its requirements alone."""
        python = cls.fresh / 'bin' / 'python'
        cls.command('uv', 'venv', '--python', sys.executable, str(cls.fresh))
        cls.command(
            'uv', 'pip', 'install', '--python', str(python),
            '-c', str(CONSTRAINTS), str(ROOT), wheel,
        )

    @classmethod
    def in_fresh(cls, *words, status=0):
        """Run a command of the fresh environment.

        :returns: what it wrote, each stream.
        """
        done = subprocess.run(
            [cls.fresh / 'bin' / words[0], *words[1:]], text=True,
            capture_output=True, check=False, timeout=cls.deadline_s,
            env={**os.environ, 'PYTHONPATH': '', 'PYTHONWARNINGS': 'ignore'},
        )
        if done.returncode != status:
            raise AssertionError(
                f'{words} ended with {done.returncode}:\n{done.stdout}\n'
                f'{done.stderr}'
            )
        return done.stdout, done.stderr

    @contextlib.contextmanager
    def serving(self, host, source=None):
        """Run the service of a host, until the test ends or kills it."""
        groups, most_mb = HOSTS[host]
        own = self.home / f'{host}.conf'
        own.write_text(
            f'[DEFAULT]\nhost = {host}\n[image_prefetch]\n'
            f'source = {source or self.source}\ngroups = {groups}\n'
            f'cache = {self.home / host}\ncache_mb = {most_mb}\n'
            f'interval_s = {INTERVAL_S}\n'
        )
        service = subprocess.Popen(
            [self.fresh / 'bin' / 'image-prefetch-service',
             '--config-file', str(self.nova_conf()),
             '--config-file', str(own)],
            env={**os.environ, 'PYTHONPATH': ''},
        )
        try:
            yield service
        finally:
            service.kill()
            service.wait()

    def prefetch(self, *words, status=0):
        """Run the command, and return the hosts' results and the rest."""
        out, err = self.in_fresh(
            'nova-ext', 'image', 'prefetch', 'cirros.img', '--source',
            str(self.source), '--config-file', str(self.nova_conf()),
            '--dead-after', '30', '-f', 'json', *words, status=status,
        )
        rows = json.loads(out) if out else []
        return [(row['Host'], row['Result']) for row in rows], err

    def held(self, host):
        """Return the names of the files in a host's folder."""
        return sorted(path.name for path in (self.home / host).iterdir())

    def test_base_install(self):
        """It brings the library, the command and no Nova; ten lines do."""
        self.in_fresh('python', '-c', 'import nova_ext.client')
        _, output = self.in_fresh('python', '-c', 'import nova', status=1)
        self.assertIn("No module named 'nova'", output)
        with self.serving('i-4'):
            self.wait_until(lambda: self.chosen('hdd') == ['i-4'])

    def chosen(self, group):
        """Return the hosts that the ten lines choose for an image, sorted."""
        try:
            output, _ = self.in_fresh(
                'python', '-c', TEN_LINES, str(self.nova_conf()), group
            )
        except AssertionError as error:
            if 'NoHostError' not in str(error):
                raise
            return []  # nobody has reported yet
        return sorted(output.split())

    @testcase.attr('slow')
    def test_prefetch(self):
        """The best host dies while it copies; the next ones have it all."""
        stuck = self.home / 'stuck'
        stuck.mkdir()
        os.mkfifo(stuck / 'cirros.img')  # reading it takes for ever
        with contextlib.ExitStack() as stack:
            best = stack.enter_context(self.serving('i-1', stuck))
            for host in ('i-2', 'i-3', 'i-4'):
                stack.enter_context(self.serving(host))
            self.wait_until(lambda: self.chosen('') == list(HOSTS))
            with concurrent.futures.ThreadPoolExecutor() as pool:
                asked = pool.submit(
                    self.prefetch, '--count', '2', '--group', 'ssd'
                )
                self.wait_until(lambda: self.held('i-1'))
                best.kill()
                rows, output = asked.result()
            self.assertEqual(
                [('i-2', 'copied'), ('i-1', 'failed'), ('i-3', 'copied')],
                rows,
            )
            for host in ('i-2', 'i-3'):
                self.assertEqual(['cirros.img'], self.held(host))
                self.assertEqual(
                    (self.source / 'cirros.img').read_bytes(),
                    (self.home / host / 'cirros.img').read_bytes(),
                )
            self.assertEqual([], self.held('i-4'))
            self.assertIn(
                'i-1, i-2 chosen from 3 of 4 hosts: 1 not in group ssd '
                '(ImageGroupFilter); alternates i-3 (req-', output,
            )
            request = output.partition(' (req-')[2].partition(')')[0]
            explained = self.explain(f'req-{request}')
            self.assertIn(explained['sentence'], output)
            self.assertEqual('image_prefetch', explained['decision']['topic'])
        rows, output = self.prefetch('--group', 'hdd', status=1)
        self.assertEqual([('i-4', 'failed')], rows)
        self.assertIn('cirros.img is on 0 of 1 hosts', output)
        with self.serving('i-1', stuck):  # it removes what was begun
            self.wait_until(lambda: not self.held('i-1'))
