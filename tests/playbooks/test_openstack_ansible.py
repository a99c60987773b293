"""Change OpenStack-Ansible's variables."""

import json
import os
import subprocess
import sys
from pathlib import Path

import yaml

from tests.playbooks import base

OURS = 'nova_ext.scheduler.filters.all_filters'
NOVAS = 'nova.scheduler.filters.all_filters'
BLAZARS = 'blazarnova.scheduler.filters.blazar_filter.BlazarFilter'
#: Those that the role enables.
THEIRS = (
    'ComputeFilter', 'AggregateNumInstancesFilter', 'AggregateIoOpsFilter',
    'ComputeCapabilitiesFilter', 'ImagePropertiesFilter',
    'ServerGroupAntiAffinityFilter', 'ServerGroupAffinityFilter',
    'NUMATopologyFilter',
)
TEMPLATE = '{{ vault_of_theirs }}'


class DeploymentHostTestCase(base.PlaybookTestCase):
    """Have a folder for variables."""

    names = ()

    def setUp(self):
        """Make the folder."""
        super().setUp()
        self.deploy = self.site / 'openstack_deploy'
        self.deploy.mkdir()
        self.ours = self.deploy / 'user_zz_nova_ext.yml'
        self.variables.update({
            'nova_ext_osa_folder': str(self.deploy),
            'nova_ext_control_python': str(self.environment / 'bin/python'),
        })

    def make_inventory(self):
        """Name the deployment host."""
        return {'nova_ext_openstack_ansible': {
            'hosts': {'localhost': {}}, 'vars': self.variables,
        }}

    def written(self):
        """Return our variables."""
        return yaml.safe_load(self.ours.read_text())


class OpenStackAnsibleTest(DeploymentHostTestCase):
    """Write a file of variables beside those that are there."""

    def test_defaults(self):
        """Without other variables: what the page shows, Blazar's line kept."""
        done = self.play('configure', '--check')
        self.assertFalse(self.ours.exists())
        done = self.play('configure')
        self.assertIn('openstack.osa.nova --limit', done.output)
        overrides = self.written()['nova_nova_conf_overrides']
        self.assertEqual(
            {OURS: None}, overrides['filter_scheduler']['available_filters']
        )
        self.assertNotIn('enabled_filters', overrides['filter_scheduler'])
        self.assertIn('nova_ext.scheduler.weights.all_weighers,',
                      overrides['filter_scheduler']['weight_classes'])
        self.assertEqual([], self.play('configure').changed)
        (self.deploy / 'openstack_inventory.json').write_text(json.dumps({
            'blazar_all': {'children': ['blazar_api'], 'hosts': []},
            'blazar_api': {'hosts': ['ctl1_blazar']},
            'nova_scheduler': {'hosts': ['ctl1_nova_api']},
        }))
        done = self.play('configure', nova_ext_mode='scheduler')
        self.assertIn('This site has one scheduler', done.output)
        self.assertEqual(
            {'TimeoutStopSec': 200,
             'ExecStart': '{{ nova_bin }}/nova-ext-scheduler'},
            self.written()['nova_scheduler_init_overrides']['Service'],
        )
        self.assertEqual([NOVAS, BLAZARS, OURS], list(
            self.written()['nova_nova_conf_overrides']['filter_scheduler'][
                'available_filters']
        ))

    def test_others(self):
        """What others set stays, as it is written; the way back is whole."""
        theirs = {
            'nova_user_pip_packages': ['their-filters'],
            'nova_scheduler_extra_filters': list(THEIRS),
            'nova_nova_conf_overrides': {
                'DEFAULT': {'debug': True}, 'database': {'x': TEMPLATE},
                'filter_scheduler': {
                    'available_filters': {
                        NOVAS: None, 'their.TheirFilter': None,
                    },
                    'weight_classes': 'their.Weigher',
                },
            },
        }
        (self.deploy / 'user_variables.yml').write_text(yaml.safe_dump(theirs))
        done = self.play('configure', '-vvv', '--diff')
        self.assertNotIn('vault_of_theirs', done.output)
        self.assertNotIn('use_queue_manager is off', done.output)
        self.assertIn('SpecifiedHostWeigher does not work', done.output)
        run, *_ = (file.name.partition('.')[0] for file in sorted(
            (self.site / 'journal').iterdir()
        ))
        written = self.written()
        self.assertEqual(
            ['their-filters', 'nova-ext'], written['nova_user_pip_packages']
        )
        self.assertEqual([*THEIRS, 'SpecifiedHostFilter'],
                         written['nova_scheduler_extra_filters'])
        overrides = written['nova_nova_conf_overrides']
        self.assertEqual({'debug': True}, overrides['DEFAULT'])
        self.assertEqual({'x': TEMPLATE}, overrides['database'])
        self.assertEqual(
            [NOVAS, 'their.TheirFilter', OURS],
            list(overrides['filter_scheduler']['available_filters']),
        )
        self.assertEqual(
            'their.Weigher', overrides['filter_scheduler']['weight_classes'],
        )
        changed = f'{self.ours.read_text()}nova_by_hand: true\n'
        self.ours.write_text(changed)
        refused = self.play('rollback', run=run, status=2)
        self.assertIn(f'{self.ours} was changed after', refused.output)
        self.assertEqual(changed, self.ours.read_text())
        self.play('rollback', run=run, rollback_over_changes=True)
        self.assertEqual('', self.ours.read_text())
        kept, = (self.site / 'journal').glob('*.replaced')
        self.assertEqual(changed, kept.read_text())

    def test_offers(self):
        """OfferFilter comes after the secret; a queue manager off is said."""
        secret = {'nova_ext_secret_options': {
            'nova_ext_offers': {'secret': 'staple'},
        }}
        offers = {'nova_ext_filters': ['OfferFilter'], **secret}
        refused = self.play('configure', status=2, **offers)
        self.assertIn('OfferFilter needs the same', refused.output)
        (self.deploy / 'user_variables.yml').write_text(
            'oslomsg_rabbit_queue_manager: false\n'
        )
        done = self.play('configure', nova_ext_filters=[], **secret)
        self.assertIn('use_queue_manager is off', done.output)
        self.play('configure', **offers)
        self.assertEqual(
            ['OfferFilter'], self.written()['nova_scheduler_extra_filters']
        )

    def test_refusals(self):
        """A filter that nobody has, a later file, a value in a Vault."""
        refused = self.play(
            'configure', status=2, nova_ext_filters=['SpecifedHostFilter']
        )
        self.assertIn('NX101: there is no filter', refused.output)
        self.assertFalse(self.ours.exists())
        other = self.deploy / 'user_zzz.yml'
        other.write_text('nova_user_pip_packages: [x]\n')
        refused = self.play('configure', status=2)
        self.assertIn('user_zzz.yml is read after', refused.output)
        other.rename(self.deploy / 'user_a.yml')
        (self.deploy / 'user_a.yml').write_text(
            'nova_nova_conf_overrides: !vault |\n  $ANSIBLE_VAULT\n'
        )
        refused = self.play('configure', status=2)
        self.assertIn('user_a.yml:1: this can', refused.output)


    def test_hidden(self):
        """What the inventory says is not hidden; our file is taken out."""
        for name, text in (
            ('group_vars/nova_all.yml', 'nova_user_pip_packages: [x]\n'),
            ('host_vars/ctl1/nova', 'nova_nova_conf_overrides: {}\n'),
            ('openstack_user_config.yml',
             'global_overrides:\n  nova_scheduler_init_overrides: {}\n'),
            ('conf.d/nova.yml', 'x:\n- nova_scheduler_extra_filters: []\n'),
        ):
            file = self.deploy / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f'# nova_user_pip_packages:\n{text}')
            refused = self.play('configure', status=2)
            variable = text.partition(': ')[0].split()[-1]
            self.assertIn(f'{file} sets {variable}, which', refused.output)
            self.assertFalse(self.ours.exists())
            file.write_text('')
        self.play('configure')
        file.write_text(text)
        self.play('uninstall')
        self.assertEqual('', self.ours.read_text())


class RoleTest(DeploymentHostTestCase):
    """Have openstack-ansible's own role render what we write.

    NOVA_EXT_OPENSTACK_ANSIBLE is a folder with its role os_nova and its
    collection config_template, which no package index has.
    """

    def setUp(self):
        """Look for them."""
        super().setUp()
        if 'NOVA_EXT_OPENSTACK_ANSIBLE' not in os.environ:
            self.skipTest('NOVA_EXT_OPENSTACK_ANSIBLE names no folder')
        self.sources = Path(os.environ['NOVA_EXT_OPENSTACK_ANSIBLE'])
        collections = self.site / 'ansible_collections/openstack'
        collections.mkdir(parents=True)
        (collections / 'config_template').symlink_to(
            self.sources / 'config_template'
        )

    def render(self, blazar):
        """Return the lines of nova.conf's filters, as an administrator would.

        :param blazar: whether there is a host for it.
        """
        hosts = ('nova_api', 'nova_scheduler', 'nova_conductor', 'galera_all',
                 *(['blazar_all'] if blazar else []))
        inventory = self.site / 'theirs.yml'
        inventory.write_text(yaml.safe_dump({
            **{name: {'hosts': {'ctl1': None}} for name in hosts},
            'nova_compute': {'hosts': {'cmp1': None}},
        }))
        role, rendered = self.sources / 'os_nova', self.site / 'nova.conf'
        own = base.HERE / 'openstack_ansible'
        files = (role / 'defaults/main.yml', role / 'vars/main.yml',
                 role / 'vars/debian.yml', own / 'site.yml', self.ours)
        done = subprocess.run(
            [str(base.BIN / 'ansible-playbook'), f'--inventory={inventory}',
             *(f'--extra-vars=@{file}' for file in files),
             '--extra-vars', json.dumps({
                 'ansible_python_interpreter': sys.executable,
                 'osa_role': str(role), 'osa_rendered': str(rendered),
             }), str(own / 'render.yml')],
            text=True, check=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={
                **self.build_variables(),
                'ANSIBLE_COLLECTIONS_PATH': str(self.site),
            },
        )
        self.assertEqual(0, done.returncode, done.stdout)
        return rendered

    def check(self, blazar, enabled, available):
        """Check what is rendered, and that lint finds nothing wrong."""
        rendered = self.render(blazar)
        lines = rendered.read_text().splitlines()
        for name, values in (
            ('enabled_filters', [','.join((*THEIRS, *enabled))]),
            ('available_filters', available),
        ):
            self.assertEqual(values, [
                line.partition(' = ')[2] for line in lines
                if line.startswith(f'{name} = ')
            ])
        said = subprocess.run(
            [str(self.environment / 'bin/nova-ext'), 'lint', '--mode',
             'plugin', str(rendered)],
            text=True, check=False, stdout=subprocess.PIPE,
        ).stdout
        self.assertIn('\n0 errors, ', said)

    def test_rendered(self):
        """The filters are the role's and ours, with Blazar's or without."""
        self.play('configure')
        self.check(False, ['SpecifiedHostFilter'], [OURS])
        (self.deploy / 'openstack_inventory.json').write_text(json.dumps({
            'blazar_all': {'hosts': ['ctl1']},
        }))
        self.play('configure')
        self.check(True, ['BlazarFilter', 'SpecifiedHostFilter'],
                   sorted([NOVAS, BLAZARS, OURS]))
