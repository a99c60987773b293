"""Run nova-ext doctor in a fresh lab, and in a damaged one."""

import contextlib
import json
import pathlib
import re
import sqlite3
import threading
import time
from contextlib import closing

import yaml

from nova_ext.doctor import checks
from nova_ext.lab.services.cloud import build_cloud_entry
from nova_ext.lab.state import lab_state, paths
from tests.lab import ailments, base, late_api, shifted_clock

#: The services whose clocks doctor compares: the lab's names and paths.
CLOCKS = {
    'identity': ('keystone', '/v3'), 'compute': ('nova', '/v2.1'),
    'placement': ('placement', ''),
}
#: Seconds by which clocks are off here.
OFF_S = 3600
#: Changed by services that live, whoever looks at them.
ALIVE = ('updated_at', 'last_seen_up', 'report_count')
FOUND = {
    'compute-down': ('1 of 10 computes', 'cmp-1'),
    'disabled-but-offered': ('1 disabled compute', 'cmp-2'),
    'enabled-but-withheld': ('1 enabled compute', 'cmp-3'),
    'host-unmapped': ('1 compute', 'cmp-4'),
    'provider-missing': ('1 compute node', 'cmp-5'),
    'provider-duplicate': ('2 compute nodes', 'cmp-6, cmp-8'),
    'node-duplicate': ('1 name', 'cmp-8'),
    'provider-stale': ('1 provider', 'gone'),
    'inventory-differs': ('1 compute node', 'cmp-7 (VCPU 32, not 64)'),
    'inventory-missing': ('1 compute node', 'cmp-8'),
    'allocation-orphaned': ('1 allocation', 'on cmp-1'),
    'aggregate-differs': ('1 aggregate', 'racks: placement lacks cmp-1'),
    'compute-without-node': ('1 compute', 'empty'),
    'limit-below-hosts': ('at most 2 of the 7', ''),
    'limit-filled': ('2 of the 2', ''),
    'clock-ahead': ('1 service', 'nova-scheduler on ahead'),
    'clock-behind': ('1 service', 'nova-conductor on behind'),
    'claims-refused': ('1 resource provider', 'cmp-4'),
    'record-dropped': ('7 decisions', 'decisions.jsonl'),
    'record-damaged': ('1 line', 'decisions.jsonl'),
    'isolation-missing': ('1 key', 'aggregate reserved'),
    'metadata-unread': ('1 key', 'flavor fast'),
    'fit-unchecked': ('1 key', 'flavor fast'),
    'schedulers-differ': ('2 options', '[scheduler] max_placement_results'),
    'versions-differ': ('3 schedulers', 'two: scheduler mode'),
}


#: In a lab, these are over within seconds, or need a fault of the mirror's.
#: Unit tests have them.
PASSING = {'mirror-loading', 'mirror-off', 'mirror-old'}


class DoctorTest(base.LabTestCase):
    """Examine a lab before and after it is damaged."""

    # Computes must not mend what is done to them.
    up = (
        '--computes', '8', '--set', 'DEFAULT.update_resources_interval=-1',
        '--set', 'nova_ext.mirror=on', '--set', 'nova_ext.mirror_refresh_s=1',
    )

    @classmethod
    def setUpClass(cls):
        """Boot a server, look, prepare, look again."""
        super().setUpClass()
        cls.lab_folder = paths.find('default')
        cls.conf = cls.lab_folder.configuration('nova') / 'nova.conf'
        self = cls('test_fresh')
        cls.wait_for_mirrors()
        # On none of the hosts whose provider or inventory will be deleted.
        kept = self.boot('kept', {'requested_host': 'cmp-1'})
        lost = self.boot('lost', {'requested_host': 'no-such-host'})
        cls.before = cls.contents_after(kept, lost)
        cls.fresh = cls.doctor('--config-file', str(cls.conf))
        cls.after = cls.contents()
        patient = ailments.Patient(cls.lab_folder, self.cloud())
        cls.apart = cls.examine_clocks(['placement'], status=3)
        cls.behind = cls.examine_clocks(CLOCKS)
        cls.silent = cls.examine_silent(patient)
        cls.cured = cls.contents()
        cls.next = self.boot('next', {'requested_host': 'cmp-1'})
        with ailments.refused_claims(patient, 'cmp-4'):
            refused = self.boot_until_left_out('cmp-4')
        cls.contents_after(cls.next, *refused)
        ailments.prepare(patient)
        cls.prepared_before = cls.contents()
        cls.prepared = cls.examine_prepared(patient)
        cls.prepared_after = cls.contents()

    def boot_until_left_out(self, host):
        """Boot on a host, until the mirror leaves it to Nova.

        :returns: the servers, which are in ERROR.
        """
        servers = []
        deadline = time.monotonic() + self.deadline_s
        while not any(mirror['Refusing'] for mirror in self.list_mirrors()):
            if time.monotonic() > deadline:
                raise AssertionError('No claim is refused')
            server = self.boot('refused', {'requested_host': host})
            if server['status'] != 'ERROR':
                raise AssertionError(f'a server on {host}')
            servers.append(server)
        return servers

    @classmethod
    def examine_clocks(cls, services, status=0):
        """Examine while the clocks of services are ahead."""
        with contextlib.ExitStack() as proxies:
            ports = {name: proxies.enter_context(shifted_clock.proxy(
                lab_state.load(cls.lab_folder).ports[CLOCKS[name][0]], OFF_S
            )) for name in services}
            return cls.doctor_at(ports, status)

    @classmethod
    def examine_silent(cls, patient):
        """Examine by an API that knows of a cell that does not answer."""
        with (
            ailments.silent_cell(patient, 'far'),
            late_api.running(cls.lab_folder) as port,
        ):
            return cls.doctor_at({'compute': port}, status=4)

    @classmethod
    def doctor_at(cls, ports, status=0):
        """Return the findings where services have other ports."""
        path = cls.home / 'elsewhere.yaml'
        path.write_text(yaml.safe_dump({'clouds': {
            'admin': build_cloud_entry(
                lab_state.load(cls.lab_folder), 'admin'
            ) | {
                f'{name}_endpoint_override':
                f'http://127.0.0.1:{port}{CLOCKS[name][1]}'
                for name, port in ports.items()
            },
        }}))
        return cls.doctor(
            '--config-file', str(cls.conf), status=status,
            prefix=('env', f'OS_CLIENT_CONFIG_FILE={path}'),
        )

    @classmethod
    def examine_prepared(cls, patient):
        """Examine while a clock is behind, with a second scheduler."""
        other = cls.home / 'other.conf'
        other.write_text(
            f'{cls.conf.read_text()}\n[scheduler]\nmax_placement_results = 2\n'
            f'[nova_ext]\nscheduler_driver = ChanceScheduler\n'
        )
        record = cls.home / 'other.jsonl'
        ailments.other_record(record)
        ended = threading.Event()

        def beat():
            while not ended.wait(0.3):
                patient.heartbeat('behind', 100)

        beating = threading.Thread(target=beat)
        beating.start()
        try:
            return cls.doctor(
                '--config-file', str(other), '--other-config', str(cls.conf),
                '--record', str(cls.lab_folder.record),
                '--record', str(record),
                # Long enough for a beat on a busy machine.
                '--watch', '5', status=4,
            )
        finally:
            ended.set()
            beating.join()

    @classmethod
    def doctor(cls, *words, status=0, prefix=()):
        """Return the findings, as data.

        :param prefix: a command that runs it.
        """
        output = cls.lab(
            'run', '--', *prefix, 'nova-ext', 'doctor', '-f', 'json', *words,
            status=status,
        )
        return json.loads(output[output.index('{'):output.rindex('}') + 1])

    @classmethod
    def contents_after(cls, *servers):
        """Return the databases' contents once they stay the same."""
        deadline = time.monotonic() + 90
        before = None
        while True:
            found = cls.contents()
            # The last that conductor and scheduler each write.
            if (
                found == before
                and not found['nova_api.sqlite.build_requests']
                and all(
                    event['finish_time'] for event in
                    found['nova.sqlite.instance_actions_events']
                )
                and all(
                    server['id'].encode() in found['record']
                    for server in servers
                )
            ):
                return found
            if time.monotonic() > deadline:
                raise AssertionError('Nova still writes')
            before = found
            time.sleep(0.5)

    @classmethod
    def contents(cls):
        """Return what Nova, placement and keystone have in their databases."""
        found = {'record': cls.lab_folder.record.read_bytes()}
        for path in cls.lab_folder.databases.glob('*.sqlite*'):
            # The record's shipper writes when it comes to it.
            if path.suffix in ('.sqlite', '.sqlite_cell0') and (
                path.name != 'nova_ext.sqlite'
            ):
                found |= rows(path)
        return found

    def test_fresh(self):
        """Nothing is found, and every check has looked."""
        self.assertEqual([], self.fresh['findings'])
        self.assertEqual(
            ['clocks'], [gap['check'] for gap in self.fresh['not_checked']]
        )
        self.assertEqual(12, len(self.fresh['passed']))

    def test_every_finding(self):
        """There is none that it has not found here, but for passing ones."""
        source = ''.join(
            path.read_text() for path in
            pathlib.Path(checks.__path__[0]).glob('*.py')
        )
        found = [
            each['id']
            for made in (self.apart, self.behind, self.silent, self.prepared)
            for each in made['findings']
        ]
        self.assertEqual(
            set(re.findall(r"Finding\(\s*'([\w-]+)'", source)) - PASSING,
            set(found) - PASSING,
        )

    def test_clocks_apart(self):
        """Placement's clock is ahead of the others, by an hour."""
        (found,) = self.apart['findings']
        self.assertEqual('clock-apis', found['id'])
        self.assertIn('clock of placement is ahead of', found['what'])
        self.assert_off(found)

    def test_clock_here(self):
        """All clocks but this machine's agree."""
        (found,) = self.behind['findings']
        self.assertEqual('clock-here', found['id'])
        self.assertIn('this machine\'s clock is behind', found['what'])
        self.assert_off(found)

    def assert_off(self, found):
        """Check that a finding says by how much, or a little less."""
        seconds = int(re.search(r'by (\d+) s or more', found['what'])[1])
        self.assertLessEqual(seconds, OFF_S)
        # Requests take their time.
        self.assertGreater(seconds, OFF_S - 60)

    def test_silent_cell(self):
        """Its host is named, and what Nova does not tell for it."""
        (found,) = self.silent['findings']
        self.assertEqual('cell-silent', found['id'])
        self.assertIn('1 compute in a cell', found['what'])
        self.assertEqual('far', found['where'])
        # Nova asks each cell for its hypervisors, or fails.
        self.assertEqual(
            {'offered', 'cells', 'providers', 'inventories'}, {
                gap['check'] for gap in self.silent['not_checked']
                if 'GET /os-hypervisors/detail' in gap['what']
            },
        )

    def test_lab_goes_on(self):
        """Nothing is left of the cell, and servers are built."""
        self.assertEqual(self.after, self.cured)
        self.assertEqual('ACTIVE', self.next['status'])

    def test_prepared(self):
        """Each of the findings, of the right things, and no other."""
        found = {each['id']: each for each in self.prepared['findings']}
        self.assertEqual(FOUND.keys(), found.keys())
        for name, (what, where) in FOUND.items():
            self.assertIn(what, found[name]['what'])
            self.assertIn(where, found[name]['where'])

    def test_read_only(self):
        """Nothing is written, to a healthy cloud or to a sick one."""
        self.assertGreater(len(self.before), 50)
        self.assertEqual(self.before, self.after)
        self.assertEqual(self.prepared_before, self.prepared_after)

    def test_text(self):
        """The reasons, the fixes, and no traceback."""
        output = self.lab('run', '--', 'nova-ext', 'doctor', status=4)
        self.assertIn('error host-unmapped: 1 compute mapped', output)
        self.assertIn(
            '    fix: Run nova-manage cell_v2 discover_hosts, or set ', output
        )
        self.assertIn('nothing was changed', output)
        self.assertNotIn('Traceback', output)

    def test_unmapped_host(self):
        """What is said of it is so: servers that go there are lost."""
        server = self.boot('unmapped', {'requested_host': 'cmp-4'})
        self.assertEqual('ERROR', server['status'])
        self.assertIn('not mapped to any cell', server['fault']['message'])

    def test_not_for_everybody(self):
        """A user without the rights is told what it needs."""
        output = self.lab(
            'run', '--', 'env', 'OS_CLOUD=demo', 'nova-ext', 'doctor',
            status=1,
        )
        self.assertNotIn('Traceback', output)
        self.assertIn('compute refuses GET /os-services', output)
        self.assertIn('credentials of an administrator', output)


def rows(path):
    """Return the rows of each table, without what a living service changes."""
    found = {}
    with closing(sqlite3.connect(f'file:{path}?mode=ro', uri=True)) as base:
        base.row_factory = sqlite3.Row
        tables = base.execute(
            'SELECT name FROM sqlite_master WHERE type = \'table\''
        ).fetchall()
        for (table,) in tables:
            found[f'{path.name}.{table}'] = [
                {key: row[key] for key in row.keys()  # noqa: SIM118  a Row is no dict
                 if key not in ALIVE}
                for row in base.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            ]
    return found
