"""Parts of api.yml that fail, with a host that is a folder."""

import socket

import yaml

from tests.playbooks import base, services


class PartsTest(services.ServicesTestCase):
    """Run one file of the role's tasks."""

    def run_part(self, name, group, status=0, **variables):
        """Run it on the hosts of a group."""
        path = self.site / 'part.yml'
        path.write_text(yaml.safe_dump([{
            'hosts': group, 'gather_facts': False, 'tasks': [{
                'ansible.builtin.import_role': {
                    'name': 'nova_ext', 'tasks_from': f'services/{name}.yml',
                },
            }],
        }]))
        return self.play(
            str(self.site / 'part'), status=status, **variables
        )

    def build_variables(self):
        """Let Ansible find the role."""
        return {**super().build_variables(),
                'ANSIBLE_ROLES_PATH': str(base.PLAYBOOKS / 'roles')}

    def test_dead_service(self):
        """A service that dies at once is named, and is not done."""
        failed = self.run_part(
            'exporter', 'nova_ext_exporter', 2, nova_ext_settle_s=30,
            # An address of nobody's.
            nova_ext_exporter_address='192.0.2.1',
        )
        self.assertIn('nova-ext-exporter ended within 30 s', failed.output)
        self.assertIsNone(self.read('one', 'state/nova-ext-exporter.started'))

    def test_given_back(self):
        """An API that did not start is given back by the next run."""
        self.run_part('api', 'api2')
        self.assertEqual(200, self.ask('api2'))
        failed = self.run_part(
            'api', 'api2', 2, nova_ext_settle_s=20,
            nova_ext_api_threads='none',
        )
        self.assertIn('nova-ext-api ended within 20 s', failed.output)
        # What it was started with at first.
        self.run_part('api', 'api2')
        self.assertEqual(200, self.ask('api2'))
        self.assertEqual(['restart nova-ext-api'] * 3, self.restarts())
        # As a run of an earlier release may have left it.
        (self.site / 'api2/etc/nova-ext/drained').touch()
        self.run_part('api', 'api2')
        self.assertEqual(200, self.ask('api2'))

    def test_half_an_environment(self):
        """What failed half-way, as without python3-venv, is made anew."""
        environment = self.site / 'one/opt/nova-ext-exporter'
        whole = self.site / 'whole'
        environment.rename(whole)
        python = self.site / 'python3'
        python.write_text(
            '#!/bin/sh\nfor folder in "$@"; do :; done\n'
            'mkdir -p "$folder/bin"\nln -sf /bin/false "$folder/bin/python"\n'
            'echo apt install python3-venv\nexit 1\n'
        )
        python.chmod(0o755)
        failed = self.run_part(
            'exporter', 'nova_ext_exporter', 2,
            nova_ext_services_python=str(python),
        )
        self.assertIn('apt install python3-venv', failed.output)
        python.write_text(
            '#!/bin/sh\nfor folder in "$@"; do :; done\n'
            '[ "$3" != --clear ] || rm -r "$folder"\n'
            f'exec cp -a {whole} "$folder"\n'
        )
        self.run_part(
            'exporter', 'nova_ext_exporter',
            nova_ext_services_python=str(python),
        )
        self.assertTrue((environment / 'bin/nova-ext-exporter').exists())

    def test_balancer_file(self):
        """Its folder is made; it stays, empty, where options name it."""
        folder, defaults = self.site / 'haproxy.d', self.site / 'defaults'
        file = folder / 'nova-ext.cfg'
        variables = {'nova_ext_haproxy_file': str(file),
                     'nova_ext_haproxy_defaults': str(defaults)}
        self.run_part('haproxy', 'nova_ext_haproxy', **variables)
        self.assertEqual(0o755, folder.stat().st_mode & 0o777)
        self.assertIn('listen nova-ext-api\n', file.read_text())
        defaults.write_text(f'EXTRAOPTS="-f {file}"\n')
        self.run_part('haproxy_remove', 'nova_ext_haproxy', **variables)
        [line] = file.read_text().splitlines()
        self.assertTrue(line.startswith('#'), line)
        defaults.write_text(f'EXTRAOPTS="-f {folder}"\n')
        self.run_part('haproxy_remove', 'nova_ext_haproxy', **variables)
        self.assertEqual([], list(folder.iterdir()))
        again = self.run_part('haproxy_remove', 'nova_ext_haproxy',
                              **variables)
        self.assertEqual([], again.changed)

    def test_balancer(self):
        """A port that the API has, and a file that haproxy does not read."""
        port = self.ports['api2']
        refused = self.run_part(
            'haproxy', 'nova_ext_haproxy', 2, nova_ext_api_port=port,
            nova_ext_haproxy_bind=f'*:{port}',
        )
        self.assertIn('name another port', refused.output)
        with socket.create_server(('127.0.0.1', 0)) as free:
            port = free.getsockname()[1]
        refused = self.run_part(
            'haproxy', 'nova_ext_haproxy', 2,
            nova_ext_haproxy_bind=f'*:{port}',
        )
        self.assertIn(f'haproxy does not listen on *:{port}', refused.output)
        # An address that another host has.
        self.run_part(
            'haproxy', 'nova_ext_haproxy',
            nova_ext_haproxy_bind=f'192.0.2.1:{port}',
        )
