"""Give each test a site: folders as hosts, and ansible-playbook."""

import atexit
import grp
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import testtools
import yaml

ROOT = Path(__file__).parents[2]
PLAYBOOKS = ROOT / 'playbooks'
HERE = Path(__file__).parent
BIN = Path(sysconfig.get_path('scripts'))

#: What all processes of a run share: the wheel, and what Python compiled.
SHARED = Path(os.environ.get('NOVA_EXT_PLAYBOOKS') or tempfile.mkdtemp())
if 'NOVA_EXT_PLAYBOOKS' not in os.environ:
    atexit.register(shutil.rmtree, SHARED)

#: What the wheel is built of, beside the package.
BUILT_OF = (
    'pyproject.toml', 'setup.cfg', 'setup.py', 'MANIFEST.in', 'README.rst',
    'LICENSE',
)

#: Seconds in which a playbook must have ended.
DEADLINE_S = 600

_HEADLINE = re.compile(r'(?:TASK|RUNNING HANDLER) \[(?:\S+ : )?(.*)\] \*')
_RESULT = re.compile(r'changed: \[([^\] ]+)')


class Result:
    """Hold what ansible-playbook printed.

    :param status: its exit status.
    """

    def __init__(self, status, output):
        self.status = status
        self.output = output

    @property
    def changed(self):
        """Return the tasks that changed something, each with its host."""
        task, changed = '', []
        for line in self.output.splitlines():
            if headline := _HEADLINE.match(line):
                task = headline[1]
            elif result := _RESULT.match(line):
                changed.append((task, result[1]))
        return changed

    @property
    def differences(self):
        """Return the lines that --diff shows, without the names of files."""
        return [
            line for line in self.output.splitlines()
            if re.match(r'[+-](?![+-]{2} )', line)
        ]


def make_environment(folder):
    """Make an environment of Nova's, without nova-ext.

    All else that the tests' own environment has is seen from it.
    """
    subprocess.run(
        [sys.executable, '-m', 'venv', '--without-pip', str(folder)],
        check=True,
    )
    own = next(folder.glob('lib/python3*/site-packages'))
    (own / 'tests.pth').write_text(sysconfig.get_path('purelib') + '\n')
    for program in {*BIN.glob('nova-*'), BIN / 'nova-scheduler'}:
        # The fast tests have no Nova, and none of its programs runs.
        body = program.read_text().partition('\n')[2] if (
            program.exists()) else ''
        path = folder / 'bin' / program.name
        path.write_text(f'#!{folder}/bin/python\n{body}')
        path.chmod(0o755)


def build_wheel():
    """Build the project's wheel, once for all processes under tox.

    It is built from a copy: others may build in the project's folder, too.
    """
    if built := list(SHARED.glob('*.whl')):
        return built[0]
    with tempfile.TemporaryDirectory() as copied:
        shutil.copytree(ROOT / 'nova_ext', Path(copied, 'nova_ext'))
        for file in BUILT_OF:
            shutil.copy(ROOT / file, copied)
        subprocess.run(
            [sys.executable, '-m', 'pip', 'wheel', '--quiet', '--no-deps',
             '--no-build-isolation', '--wheel-dir', str(SHARED), copied],
            check=True, env={**os.environ, 'PBR_VERSION': '0.0.1'},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
    return next(SHARED.glob('*.whl'))


class PlaybookTestCase(testtools.TestCase):
    """Make an environment once for each class."""

    #: Whether nova-ext is installed in the environment beforehand.
    installed = True
    #: The hosts, in their order.
    names: tuple[str, ...] = ('one',)
    #: Host and task in which SSH fails, to hosts of that connection.
    unreachable = ''
    #: Of Ansible, and so of what it runs on a host; -1: the tests' own.
    umask = -1

    @classmethod
    def setUpClass(cls):
        """Make it."""
        super().setUpClass()
        folder = tempfile.TemporaryDirectory(prefix='nova-ext-playbooks-')
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.environment = cls.folder / 'env'
        make_environment(cls.environment)
        cls.wheel = build_wheel()
        if cls.installed:
            cls.install()

    @classmethod
    def install(cls):
        """Install the wheel as pip does."""
        subprocess.run(
            [str(cls.environment / 'bin/python'), '-m', 'pip', 'install',
             '--quiet', '--no-deps', '--no-index', str(cls.wheel)],
            check=True,
        )

    def setUp(self):
        """Make a site."""
        super().setUp()
        folder = tempfile.TemporaryDirectory(dir=self.folder)
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name)
        (self.site / 'bin').mkdir()
        shutil.copy(HERE / 'systemctl', self.site / 'bin')
        self.variables = {
            'ansible_connection': 'local', 'ansible_become': False,
            'ansible_python_interpreter': sys._base_executable,
            'nova_ext_user': '',
            'nova_ext_group': grp.getgrgid(os.getgid()).gr_name,
            'nova_ext_journal': str(self.site / 'journal'),
            'nova_ext_marks': [],
            'nova_ext_source': 'nova-ext',
            'nova_ext_pip_args': f'--no-index --find-links {SHARED}',
        }
        self.hosts = {}
        for name in self.names:
            self.make_host(name)

    def make_host(self, name):
        """Make a host whose scheduler runs."""
        host = self.site / name
        (host / 'etc/nova/conf.d').mkdir(parents=True)
        (host / 'bin').mkdir()
        (host / 'bin/env').symlink_to(self.environment / 'bin')
        for program in ('nova-scheduler', 'nova-ext'):
            (host / 'bin' / program).symlink_to(f'env/{program}')
        shutil.copy(HERE / 'nova-ext-scheduler', host / 'bin')
        (host / 'etc/nova/nova.conf').write_text(
            '[database]\nconnection = sqlite://\n'
            '[api_database]\nconnection = sqlite://\n'
            '[filter_scheduler]\n'
            'available_filters = nova.scheduler.filters.all_filters\n'
            'enabled_filters = ComputeFilter,SameHostFilter\n'
        )
        (host / 'options').write_text(
            f'--config-file {host}/etc/nova/nova.conf '
            f'--config-dir {host}/etc/nova/conf.d'
        )
        (host / 'runs').write_text('')
        self.hosts[name] = {
            'nova_ext_unit': name,
            'nova_ext_units': str(host / 'systemd'),
            'nova_ext_state': str(host / 'state'),
            'ansible_remote_tmp': str(host / 'tmp'),
        }

    def play(self, name, *words, status=0, **variables):
        """Run a playbook.

        :param name: of ours, or the path of another without its ending.
        :param variables: of this run, beside those of the site.
        """
        inventory = self.site / 'hosts.yml'
        inventory.write_text(
            yaml.safe_dump(self.make_inventory(), sort_keys=False)
        )
        self.extra_variables = json.dumps(variables)
        done = subprocess.run(
            [str(BIN / 'ansible-playbook'), '--inventory', str(inventory),
             '--extra-vars', self.extra_variables,
             str(PLAYBOOKS / f'{name}.yml'), *words],
            text=True, check=False, timeout=DEADLINE_S,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=self.build_variables(),
            umask=self.umask,
        )
        self.addDetail(
            f'{name} {words}', testtools.content.text_content(done.stdout)
        )
        self.assertEqual(status, done.returncode, done.stdout)
        return Result(done.returncode, done.stdout)

    def make_inventory(self):
        """Return the hosts, by group."""
        return {'nova_scheduler': {
            'hosts': self.hosts, 'vars': self.variables,
        }}

    def build_variables(self):
        """Return the environment of ansible-playbook."""
        return {
            **{name: value for name, value in os.environ.items()
               if not name.startswith(('ANSIBLE_', 'OS_', 'PYTHON'))},
            # Without what is compiled, a run takes twice as long.
            'PYTHONPYCACHEPREFIX': str(SHARED / 'compiled'),
            'PATH': f'{self.site}/bin:{BIN}:{os.environ["PATH"]}',
            'ANSIBLE_CONFIG': str(HERE / 'ansible.cfg'),
            'ANSIBLE_HOME': str(self.site / 'ansible'),
            'ANSIBLE_NOCOLOR': '1', 'ANSIBLE_PIPELINING': '1',
            'ANSIBLE_CONNECTION_PLUGINS': str(HERE / 'connection'),
            'NOVA_EXT_UNREACHABLE': self.unreachable,
            'ANSIBLE_DEPRECATION_WARNINGS': '0',
        }

    def read(self, host, path):
        """Return the text of a host's file; None where it has none."""
        file = self.site / host / path
        return file.read_text() if file.exists() else None

    def restarts(self):
        """Return the restarts so far, in their order."""
        file = self.site / 'restarts'
        return file.read_text().splitlines() if file.exists() else []

    def journal(self):
        """Return the id and the lines of the last run."""
        run = max((self.site / 'journal').iterdir())
        return run.name, run.read_text().splitlines()
