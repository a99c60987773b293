"""A machine that devstack's scripts run on, plugin and all."""

import os
import shutil
import subprocess
from pathlib import Path

import fixtures
import testtools

from nova_ext.lab.configuration import nova_config

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent

OURS = {
    'available_filters': 'nova_ext.scheduler.filters.all_filters',
    'weight_classes': nova_config.WEIGHT_CLASSES,
}
NOVAS = 'nova.scheduler.filters.all_filters'
UNIT = 'devstack@n-sch'

#: What Blazar's own plugin does with nova.conf after a stack's install.
BLAZAR = """
if [[ "$1 $2" == "stack post-config" ]]; then
    ACTUAL_FILTERS=$(iniget $NOVA_CONF filter_scheduler enabled_filters)
    if [[ $ACTUAL_FILTERS != *BlazarFilter* ]];  then
        ACTUAL_FILTERS="$ACTUAL_FILTERS,BlazarFilter"
    fi
    iniset $NOVA_CONF filter_scheduler enabled_filters $ACTUAL_FILTERS
    ACTUAL_AVAILABLE_FILTERS=$(iniget $NOVA_CONF filter_scheduler available_filters)
    if [[ -z "$ACTUAL_AVAILABLE_FILTERS" ]]; then
        iniset $NOVA_CONF filter_scheduler available_filters "nova.scheduler.filters.all_filters"
    fi
    iniadd $NOVA_CONF filter_scheduler available_filters "blazarnova.scheduler.filters.blazar_filter.BlazarFilter"
fi
"""  # noqa: E501  as Blazar has it
BLAZARS = 'blazarnova.scheduler.filters.blazar_filter.BlazarFilter'


class DevstackTestCase(testtools.TestCase):
    """One machine a test, which nothing but its folder belongs to."""

    def setUp(self):
        """A computer without a stack."""
        super().setUp()
        if 'DEVSTACK_DIR' in os.environ and not shutil.which('gawk'):
            self.skipTest('devstack reads local.conf with gawk')
        self.machine = Path(self.useFixture(fixtures.TempDir()).path)
        for folder in ('devstack', 'stack/blazar/devstack', 'units', 'etc',
                       'enabled', 'running', 'requirements/.venv'):
            (self.machine / folder).mkdir(parents=True)
        (self.machine / 'stack/nova-ext').symlink_to(ROOT)
        (self.machine / 'stack/blazar/devstack/plugin.sh').write_text(BLAZAR)
        (self.machine / 'bin').symlink_to(HERE / 'bin')
        (self.machine / 'requirements/.venv/bin').symlink_to(HERE / 'bin')
        self.nova_conf = self.machine / 'etc/nova.conf'
        self.tempest_conf = self.machine / 'etc/tempest.conf'
        self.local_conf()

    def local_conf(self, *localrc, plugins=('nova-ext',), meta=''):
        """Write local.conf.

        :param localrc: lines above those that enable plugins.
        :param meta: sections for other files.
        """
        lines = [
            '[[local|localrc]]', 'HOST_IP=127.0.0.1',
            *(f'{word}_PASSWORD=secret' for word in
              ('ADMIN', 'DATABASE', 'RABBIT', 'SERVICE')),
            'ENABLED_SERVICES=key,mysql,rabbit,n-cond,n-sch,n-cpu,tempest',
            *localrc,
            *(f'enable_plugin {name} https://git.example/{name}'
              for name in plugins),
        ]
        (self.machine / 'devstack/local.conf').write_text(
            '\n'.join(lines) + f'\n{meta}'
        )

    def run_script(self, verb, status=0, **variables):
        """Run one of devstack's scripts.

        :param verb: stack, unstack or clean.
        :param variables: TWICE, RACE and TRACE, which stand.sh describes.
        :returns: what it said on stderr.
        """
        wanted = {'MACHINE': self.machine, 'HOME': self.machine,
                  'USER': 'stack', 'PATH': os.environ['PATH'], **variables}
        if 'DEVSTACK_DIR' in os.environ:
            wanted['DEVSTACK_DIR'] = os.environ['DEVSTACK_DIR']
        ended = subprocess.run(
            [HERE / 'stand.sh', verb], env=wanted, capture_output=True,
            text=True, check=False,
        )
        strange = self.machine / 'strange'
        self.assertFalse(
            strange.exists() and strange.read_text(), ended.stderr
        )
        self.assertEqual(status, ended.returncode, ended.stderr)
        return ended.stderr

    def stack(self, status=0):
        """Run stack.sh."""
        return self.run_script('stack', status)

    def values(self, option, section='filter_scheduler', path=None):
        """What nova.conf, or another file, has as lines of an option."""
        found, inside = [], False
        for line in (path or self.nova_conf).read_text().splitlines():
            if line.startswith('['):
                inside = line == f'[{section}]'
            elif inside and line.partition(' = ')[0] == option:
                found.append(line.partition(' = ')[2])
        return found

    @property
    def running(self):
        """The scheduler's folder, with its command and what it has read."""
        return self.machine / 'running' / UNIT

    @property
    def command(self):
        """The program that runs as unit of the scheduler; None: none."""
        if not self.running.exists():
            return None
        command, *_ = (self.running / 'command').read_text().split()
        return Path(command).name

    @property
    def starts(self):
        """How often the scheduler was started."""
        log = self.machine / 'starts'
        return log.read_text().split().count(UNIT) if log.exists() else 0

    def has(self, name):
        """The lines of a file of the machine; none where it is absent."""
        path = self.machine / name
        return path.read_text().splitlines() if path.exists() else []
