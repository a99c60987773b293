"""Run a lab for a class of tests, by its own commands."""

import concurrent.futures
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import psutil
import testtools
from oslo_config import cfg
from testtools import testcase

from nova_ext import client
from nova_ext.lab.cli import base as cli
from nova_ext.lab.process import nova_threads
from nova_ext.lab.services import rabbit, servers
from nova_ext.lab.services.cloud import LabUser
from nova_ext.lab.state import lab_state, paths
from nova_ext.lab.state.errors import LabError

BIN = Path(sys.prefix) / 'bin'
#: Options of each lab that is started, ``GROUP.NAME=VALUE`` and blanks between
#: them.
SETTINGS = os.environ.get('NOVA_EXT_LAB_SET', '').split()
#: The file to which the records of all labs are copied; empty: to none.
RECORDS = os.environ.get('NOVA_EXT_LAB_RECORDS', '')


class LabTestCase(testcase.WithAttributes, testtools.TestCase):
    """Give each class a home for labs, and remove all of it after.

    Skipped where what the labs need is not there.
    """

    #: Arguments of the first ``up``; None: the class starts its own labs.
    up: tuple[str, ...] | None = ()
    #: Seconds in which any of its commands must have ended.
    deadline_s = 240

    @classmethod
    def setUpClass(cls):
        """Make a home, and one lab in it."""
        super().setUpClass()
        try:
            cli.require()
            cls.require()
        except LabError as error:
            raise unittest.SkipTest(str(error)) from error
        folder = tempfile.TemporaryDirectory(prefix='nova-ext-lab-tests-')
        cls.addClassCleanup(folder.cleanup)
        cls.home = Path(folder.name)
        os.environ['NOVA_EXT_LAB_HOME'] = folder.name
        cls.addClassCleanup(os.environ.pop, 'NOVA_EXT_LAB_HOME')
        cls.addClassCleanup(cls.remove_labs)
        if cls.up is not None:
            cls.lab('up', *cls.up)
            if 'nova_ext.mirror=on' in SETTINGS:
                cls.wait_for_mirrors()

    @classmethod
    def wait_for_mirrors(cls):
        """Wait until each scheduler's mirror has all of the lab's hosts."""
        deadline = time.monotonic() + cls.deadline_s
        services = cls.list_in_lab(
            'compute', 'service', 'list', '--service', 'nova-compute'
        )
        while True:
            mirrors = cls.list_mirrors()
            if mirrors and all(
                mirror['Hosts'] == len(services) for mirror in mirrors
            ):
                return
            if time.monotonic() > deadline:
                raise AssertionError(f'mirrors without hosts: {mirrors}')

    @classmethod
    def list_mirrors(cls):
        """Return what the schedulers' workers say of their mirrors."""
        return cls.list_in_lab('scheduler', 'mirror', 'list')

    @classmethod
    def list_in_lab(cls, *words):
        """Return what OpenStackClient lists."""
        return json.loads(cls.lab(
            'run', '--', 'openstack', *words, '-f', 'json'
        ))

    @staticmethod
    def require():
        """Find what a lab without a message broker needs."""
        nova_threads.require()

    @classmethod
    def remove_labs(cls):
        """End and remove every lab of the class."""
        # The first of several zones takes the others with it.
        while lab := next(paths.list_labs(), None):
            if RECORDS and lab.record.exists():
                with Path(RECORDS).open('a', encoding='utf-8') as records:
                    records.write(lab.record.read_text())
            cls.lab('delete', '--name', lab.name)

    @classmethod
    def lab(cls, *words, status=0):
        """Run a lab command.

        :param status: the exit status that it must have.
        :returns: what it wrote, both streams.
        """
        if words[0] == 'up':
            words += tuple(f'--set={setting}' for setting in SETTINGS)
        return cls.command('nova-ext', 'lab', *words, status=status)

    @classmethod
    def command(cls, *words, status=0):
        """Run a command of the environment that the tests run in."""
        done = subprocess.run(
            [str(BIN / words[0]), *words[1:]], text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, timeout=cls.deadline_s,
        )
        if done.returncode != status:
            raise AssertionError(
                f'{words} ended with {done.returncode}:\n{done.stdout}'
            )
        return done.stdout

    def run_in_lab(self, *words, name='default', status=0):
        """Run a command that finds the lab."""
        return self.lab('run', '--name', name, '--', *words, status=status)

    def cloud(self, name='default', user='admin'):
        """Return a client of the lab's APIs."""
        return LabUser(lab_state.load(paths.find(name)), user)

    def boot(self, name, hints=None, **options):
        """Boot a server; it is ACTIVE or in ERROR then."""
        return servers.boot(self.cloud(), name, hints, **options)

    def boot_many(self, names):
        """Boot servers all at once, and return them."""
        with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
            return list(pool.map(self.boot, names))

    def explain(self, server, name='default'):
        """Return what nova-ext explain says, as data."""
        output = self.run_in_lab(
            'nova-ext', 'explain', server, '-f', 'json', name=name
        )
        return json.loads(output[output.index('{'):])

    def processes(self, name='default'):
        """Return the processes of a lab, by the marker in their environment.

        The lab's state is not read.
        """
        folder = str(self.home / name)
        processes = []
        for process in psutil.process_iter():
            try:
                marked = process.environ().get(paths.MARKER)
            except psutil.Error:
                continue
            if marked == folder and process.status() != 'zombie':
                processes.append(process)
        return processes


class RabbitTestCase(LabTestCase):
    """Run labs over RabbitMQ."""

    @staticmethod
    def require():
        """Find RabbitMQ."""
        rabbit.find_program()

    @classmethod
    def program(cls, **options):
        """Return the library's client, configured as the lab's services are.

        :param options: of the client.
        """
        cfg.CONF(['--config-file', str(cls.nova_conf())], project='nova')
        cls.addClassCleanup(cfg.CONF.reset)
        scheduler = client.SchedulerClient(**options)
        cls.addClassCleanup(scheduler.close)
        return scheduler

    @staticmethod
    def nova_conf():
        """Return the nova.conf of the lab's services."""
        return paths.find('default').configuration('nova') / 'nova.conf'

    def state(self, name='default'):
        """Return the lab's state."""
        return lab_state.load(paths.find(name))

    def wait_until(self, condition, seconds=90):
        """Wait until a condition holds."""
        deadline = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), deadline, condition)
            time.sleep(0.1)

    def tree(self, service, name='default'):
        """Return a service's process and all its descendants."""
        process = psutil.Process(self.state(name).processes[service].pid)
        return [process, *process.children(recursive=True)]

    def everything(self, name='default'):
        """Return all processes of a lab, by their parents and their ports.

        The lab itself finds them by their environment.
        """
        state = self.state(name)
        processes = {
            process for service in state.processes
            for process in self.tree(service, name)
        }
        ports = set(state.ports.values())
        return processes | {
            psutil.Process(connection.pid)
            for connection in psutil.net_connections('tcp')
            if connection.status == psutil.CONN_LISTEN
            and connection.laddr.port in ports and connection.pid
        }

    def assert_gone(self, processes, ports):
        """Check that no process runs, and that nobody listens."""
        left = [
            process for process in processes
            if process.is_running()
            and process.status() != psutil.STATUS_ZOMBIE
        ]
        self.assertEqual([], left)
        for name, port in ports.items():
            with socket.socket() as probe:
                self.assertNotEqual(
                    0, probe.connect_ex(('127.0.0.1', port)), name
                )
