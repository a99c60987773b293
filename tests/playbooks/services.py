"""Give api.yml its hosts, which are folders, and a real MariaDB."""

import contextlib
import datetime
import ipaddress
import os
import signal
import socket
import sys
import time
import urllib.error
import urllib.request

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.playbooks import base
from tests.unit.database import servers

#: Letters that mean something in SQL, a URL, oslo.config and systemd.
FOR_DATABASE = "o'ne\\t$w%o/@"
FOR_KEYSTONE = 'correct$horse'
HOSTS = ('api1', 'api2')
#: Seconds in which a service has started, on a busy machine.
START_S = 120


def find_port():
    """Return a port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(('127.0.0.1', 0))
        return listener.getsockname()[1]


def write_certificate(folder):
    """Write a key, and a certificate for 127.0.0.1 that it has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([])
    address = x509.IPAddress(ipaddress.ip_address('127.0.0.1'))
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([address]), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (folder / 'key.pem').write_bytes(key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ))
    (folder / 'certificate.pem').write_bytes(certificate.public_bytes(pem))


class MariaDB(servers.MariaDB):
    """Listen on the loopback address, for TLS."""

    def command(self):
        """Return the command that starts it."""
        self.port = find_port()
        write_certificate(self.folder)
        return (
            *(word for word in super().command()
              if word != '--skip-networking'),
            '--bind-address=127.0.0.1', f'--port={self.port}',
            '--require-secure-transport',
            f'--ssl-cert={self.folder}/certificate.pem',
            f'--ssl-key={self.folder}/key.pem',
        )


class ServicesTestCase(base.PlaybookTestCase):
    """Name hosts for two APIs, a shipper, an exporter and an agent."""

    def setUp(self):
        """Make two more hosts, and a database server."""
        super().setUp()
        self.server = MariaDB()
        self.addCleanup(self.server.remove)
        self.server.initialize()
        self.server.start()
        self.addCleanup(self.end_services)
        self.ports, self.metrics_port = {}, find_port()
        # In place of haproxy.
        balancer = socket.create_server(('127.0.0.1', 0))
        self.addCleanup(balancer.close)
        self.balancer_port = balancer.getsockname()[1]
        for name in HOSTS:
            (self.site / name).mkdir()
            self.ports[name] = find_port()
        for name in (*HOSTS, *self.names):
            self.make_services_host(name)
        self.variables.update({
            'nova_ext_api_user': '', 'nova_ext_api_address': '127.0.0.1',
            'nova_ext_database_client':
                f'mariadb --no-defaults --user root '
                f'--socket {self.server.folder}/socket',
            'nova_ext_database_host': f'127.0.0.1:{self.server.port}',
            'nova_ext_database_ca': f'{self.server.folder}/certificate.pem',
            'nova_ext_database_password': FOR_DATABASE,
            'nova_ext_service_password': FOR_KEYSTONE,
            'nova_ext_auth_url': 'http://127.0.0.1:9/v3',
            'nova_ext_transport_url': 'rabbit://',
            'nova_ext_services_pip_args': '--no-index',
            'nova_ext_drain_s': 1, 'nova_ext_settle_s': 1,
        })

    def make_services_host(self, name):
        """Give a host environments that have all but nova-ext."""
        host = self.site / name
        for service in (
            'nova-ext-api', 'nova-ext-shipper', 'nova-ext-agent',
            'nova-ext-exporter',
        ):
            environment = host / 'opt' / service
            base.make_environment(environment)
            (environment / 'bin/pip').touch()
            serve = environment / 'bin/waitress-serve'
            serve.write_text(
                f'#!{environment}/bin/python\n'
                'from waitress.runner import run\nrun()\n'
            )
            serve.chmod(0o755)
        python = host / 'python'
        python.write_text(
            f'#!/bin/sh\nexport NOVA_EXT_HOST={host}\n'
            f'exec {sys._base_executable} "$@"\n'
        )
        python.chmod(0o755)
        self.hosts.setdefault(name, {}).update({
            'ansible_python_interpreter': str(python),
            'nova_ext_units': str(host / 'systemd'),
            'nova_ext_state': str(host / 'state'),
            'nova_ext_services_folder': str(host / 'opt'),
            'nova_ext_services_etc': str(host / 'etc/nova-ext'),
        })
        (host / 'etc').mkdir(exist_ok=True)

    def make_inventory(self):
        """Return the hosts, by group."""
        return {
            'all': {'vars': self.variables},
            'nova_scheduler': {
                'hosts': {name: self.hosts[name] for name in self.names},
            },
            'nova_ext_api': {'hosts': {
                name: {**self.hosts[name],
                       'nova_ext_api_port': self.ports[name]}
                for name in HOSTS
            }},
            'nova_ext_database': {'hosts': {'api1': {}}},
            'nova_ext_haproxy': {'hosts': {'api2': {
                'nova_ext_haproxy_bind': f'127.0.0.1:{self.balancer_port}',
                'nova_ext_haproxy_file': str(self.site / 'haproxy.cfg'),
                'nova_ext_haproxy_check': 'test -s %s',
            }}},
            'nova_ext_exporter': {'hosts': {'one': {
                'nova_ext_exporter_port': self.metrics_port,
            }}},
            'nova_ext_agent': {'hosts': {'one': {
                'nova_ext_agent_files': [
                    str(self.site / 'one/etc/nova/nova.conf')
                ],
                'nova_ext_agent_options': {'interval_s': 5},
            }}},
        }

    def end_services(self):
        """End what the stand-in for systemd started."""
        for file in self.site.glob('*/*.pid'):
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(file.read_text()), signal.SIGTERM)

    def ask(self, name):
        """Return the status of a host's check of health; 0: no answer."""
        url = f'http://127.0.0.1:{self.ports[name]}/healthcheck'
        try:
            return urllib.request.urlopen(url, timeout=30).status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def wait_for_text(self, host, path, text):
        """Wait until a host's file has a text."""
        deadline = time.monotonic() + START_S
        while text not in (self.read(host, path) or ''):
            self.assertLess(time.monotonic(), deadline, f'no {text}')
            time.sleep(0.1)
