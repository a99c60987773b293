"""Change kolla-ansible's input, and have its own templates rendered."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

from tests.playbooks import base

KOLLA = Path(sys.prefix, 'share/kolla-ansible')
ROLE = KOLLA / 'ansible/roles/nova'
OURS = 'nova_ext.scheduler.filters.all_filters'
NOVAS = 'nova.scheduler.filters.all_filters'
BLAZARS = 'blazarnova.scheduler.filters.blazar_filter.BlazarFilter'


class KollaTest(base.PlaybookTestCase):
    """Write kolla-ansible's input."""

    names = ()

    def setUp(self):
        """Write an inventory as kolla-ansible's, with one controller."""
        super().setUp()
        self.input = self.site / 'config'
        self.output = self.site / 'kolla'
        (self.input / 'nova').mkdir(parents=True)
        inventory = self.site / 'inventory'
        inventory.mkdir()
        (inventory / 'group_vars').symlink_to(KOLLA / 'ansible/group_vars')
        (inventory / 'hosts').write_text(
            (KOLLA / 'ansible/inventory/all-in-one').read_text().replace(
                'localhost ', 'ctl1 '
            )
        )
        passwords = self.site / 'passwords.yml'
        shutil.copy(KOLLA / 'etc_examples/kolla/passwords.yml', passwords)
        passwords.chmod(0o600)
        subprocess.run(
            [str(base.BIN / 'kolla-genpwd'), '-p', str(passwords)], check=True
        )
        self.globals = {
            **yaml.safe_load(passwords.read_text()),
            **yaml.safe_load((ROLE / 'defaults/main.yml').read_text()),
            'kolla_internal_vip_address': '192.0.2.1',
            # It would take a filter of a collection that is not on PyPI.
            'kolla_same_external_internal_vip': True,
            'node_config': str(self.output),
            'node_custom_config': str(self.input),
            'kolla_nova': str(ROLE), 'CONFIG_DIR': str(self.output),
            'project_name': 'nova', 'service_name': 'nova-scheduler',
        }

    def build_variables(self):
        """Let Ansible find kolla-ansible's plugins."""
        return {
            **super().build_variables(),
            'ANSIBLE_ACTION_PLUGINS': str(KOLLA / 'ansible/action_plugins'),
            'ANSIBLE_FILTER_PLUGINS': str(KOLLA / 'ansible/filter_plugins'),
            'ANSIBLE_LIBRARY': str(KOLLA / 'ansible/library'),
            'ANSIBLE_ROLES_PATH': str(KOLLA / 'ansible/roles'),
        }

    def ansible(self, playbook, *words, status=0, **variables):
        """Run a playbook with kolla-ansible's inventory."""
        done = subprocess.run(
            [str(base.BIN / 'ansible-playbook'), '--diff',
             '--inventory', str(self.site / 'inventory/hosts'),
             '--extra-vars', json.dumps({**self.variables, **variables}),
             str(playbook), *words],
            text=True, check=False, timeout=base.DEADLINE_S,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=self.build_variables(),
        )
        self.assertEqual(status, done.returncode, done.stdout)
        return base.Result(done.returncode, done.stdout)

    def render(self, **variables):
        """Render nova.conf as a reconfigure would."""
        self.ansible(
            base.HERE / 'kolla/render.yml', **self.globals, **variables
        )
        return self.output / 'nova-scheduler/nova.conf'

    def configure(self, playbook='configure', *words, **variables):
        """Run a playbook of ours."""
        return self.ansible(
            base.PLAYBOOKS / f'{playbook}.yml', *words,
            nova_ext_kolla_input=str(self.input),
            nova_ext_kolla_output=str(self.output),
            nova_ext_control_python=str(self.environment / 'bin/python'),
            **variables,
        )

    def lint(self, path):
        """Return what lint says of a file."""
        done = subprocess.run(
            [str(self.environment / 'bin/nova-ext'), 'lint', '--mode',
             'plugin', str(path)],
            text=True, check=False, stdout=subprocess.PIPE,
        )
        return done.stdout

    def lines(self, path, option):
        """Return the values of an option, in their order."""
        return [
            line.partition(' = ')[2] for line in path.read_text().splitlines()
            if line.startswith(f'{option} = ')
        ]

    def test_blazar(self):
        """The filters are kolla-ansible's own and ours; lint finds nothing."""
        before = self.render(enable_blazar=True).read_text()
        [enabled] = self.lines(
            self.output / 'nova-scheduler/nova.conf', 'enabled_filters'
        )
        self.assertIn('BlazarFilter', enabled)
        first = self.configure()
        self.assertIn('kolla-ansible reconfigure -t nova', first.output)
        rendered = self.render(enable_blazar=True)
        self.assertEqual(
            [f'{enabled},SpecifiedHostFilter'],
            self.lines(rendered, 'enabled_filters'),
        )
        self.assertEqual(
            [NOVAS, BLAZARS, OURS], self.lines(rendered, 'available_filters')
        )
        self.assertEqual([], self.configure().changed)
        self.assertIn('0 errors, 0 warnings', self.lint(rendered))

        [run] = {file.name.partition('.')[0] for file in sorted(
            (self.site / 'journal').iterdir()
        )[:1]}
        self.configure('rollback', run=run)
        self.assertEqual(before, self.render(enable_blazar=True).read_text())

    def test_own_lines(self):
        """What the site's own input enables stays; lint finds nothing."""
        (self.input / 'nova.conf').write_text(
            '[filter_scheduler]\n'
            'enabled_filters = ComputeFilter,SameHostFilter\n'
            'weight_classes = nova.scheduler.weights.all_weighers\n'
        )
        theirs = '[database]\nconnection = mysql+pymysql://nova:horse@db/nova\n'
        own = self.input / 'nova/nova-scheduler.conf'
        own.write_text(theirs)
        (self.input / 'nova').chmod(0o750)
        self.render()
        done = self.configure('configure', '-vvv')
        self.assertNotIn('nova:horse', done.output)
        self.assertIn('docker_graceful_timeout, 60 s', done.output)
        self.assertNotIn('use_queue_manager is off', done.output)
        self.assertNotIn('of our block', done.output)
        self.assertIn(theirs, own.read_text())
        self.assertEqual(0o750, own.parent.stat().st_mode & 0o777)
        rendered = self.render()
        self.assertEqual(
            ['ComputeFilter,SameHostFilter,SpecifiedHostFilter'],
            self.lines(rendered, 'enabled_filters'),
        )
        self.assertIn('0 errors, 0 warnings, 0 infos', self.lint(rendered))

    def test_changed_since(self):
        """What somebody wrote after a run is not lost on the way back."""
        self.render()
        self.configure()
        own = self.input / 'nova/nova-scheduler.conf'
        changed = f'{own.read_text()}[DEFAULT]\ndebug = true\n'
        own.write_text(changed)
        [run] = {
            file.name.partition('.')[0]
            for file in (self.site / 'journal').iterdir()
        }
        refused = self.configure('rollback', run=run, status=2)
        self.assertIn(f'{own} was changed after run {run}', refused.output)
        self.assertEqual(changed, own.read_text())
        self.configure('rollback', run=run, rollback_over_changes=True)
        self.assertEqual('', own.read_text())
        kept = self.site / f'journal/{run}.nova-scheduler.conf.replaced'
        self.assertEqual(changed, kept.read_text())

    def test_fewer(self):
        """A filter that is ours no more is off; what was theirs stays."""
        (self.input / 'nova.conf').write_text(
            '[filter_scheduler]\n'
            'enabled_filters = SameHostFilter,ComputeFilter\n'
        )
        self.render()
        self.configure(nova_ext_filters=[
            'SameHostFilter', 'SpecifiedHostFilter',
        ])
        self.render()
        done = self.configure(nova_ext_filters=['SameHostFilter'])
        self.assertIn('of our block', done.output)
        self.assertEqual(
            ['ComputeFilter,SameHostFilter'],
            self.lines(self.render(), 'enabled_filters'),
        )
        self.configure(nova_ext_filters=[])
        self.assertEqual(
            ['ComputeFilter,SameHostFilter'],
            self.lines(self.render(), 'enabled_filters'),
        )

    def test_fewer_weighers(self):
        """A list of weighers without some of Nova's stays as it is."""
        theirs = 'nova.scheduler.weights.ram.RAMWeigher'
        (self.input / 'nova.conf').write_text(
            f'[filter_scheduler]\nweight_classes = {theirs}\n'
        )
        self.render()
        for _ in range(2):
            done = self.configure()
            self.assertIn('SpecifiedHostWeigher does not work', done.output)
            self.assertEqual(
                [theirs], self.lines(self.render(), 'weight_classes')
            )

    def test_host_file(self):
        """A host's own file, which would win, is refused."""
        self.render()
        own = self.input / 'nova/ctl1/nova.conf'
        own.parent.mkdir()
        own.write_text(f'[filter_scheduler]\navailable_filters = {BLAZARS}\n')
        refused = self.configure_refused()
        self.assertIn('NX201', refused.output)
        self.assertFalse((self.input / 'nova/nova-scheduler.conf').exists())

    def configure_refused(self):
        """Configure, which fails."""
        return self.ansible(
            base.PLAYBOOKS / 'configure.yml', status=2,
            nova_ext_kolla_input=str(self.input),
            nova_ext_kolla_output=str(self.output),
            nova_ext_control_python=str(self.environment / 'bin/python'),
        )
