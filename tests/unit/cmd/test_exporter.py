"""Run nova-ext-exporter as a process."""

import re
from pathlib import Path
from urllib import request

import fixtures

from nova_ext.record import shortening
from tests.unit.cmd import processes
from tests.unit.metrics import clouds
from tests.unit.record import samples

FAILS = re.compile(
    r'^nova_ext_asking_fails\{question="capacity",reason="\w+"\} 1.0$', re.M
)
COUNT = re.compile(r'^nova_ext_decisions_total\{.*\} (.+)$', re.M)


class ExporterTest(processes.ProcessTestCase):
    """Count from its start to its end."""

    module = 'nova_ext.cmd.exporter'

    def setUp(self):
        """Create a record in a folder."""
        super().setUp()
        self.record = Path(self.useFixture(fixtures.TempDir()).join('record'))

    def append(self):
        """Append a decision."""
        with self.record.open('ab') as stream:
            stream.write(shortening.to_line(samples.failure(), 65536))

    def test_counts(self):
        """Count what is recorded while it runs, until a signal."""
        self.append()
        with self.started(
            '--record', str(self.record), '--port', '0'
        ) as process:
            told = process.stdout.readline()
            url = re.fullmatch(
                rf'metrics of {self.record} at (\S+)\n', told
            )[1]
            self.assertTrue(url.startswith('http://127.0.0.1:'), url)
            self.append()
            found = self.wait_for(lambda: COUNT.search(self.read(url)))
            self.assertEqual('1.0', found[1])
            self.end(process)

    def read(self, url):
        """Return the metrics."""
        with request.urlopen(url) as answer:  # noqa: S310  our own
            return answer.read().decode()

    def test_port(self):
        """Refuse a number that no port has."""
        with self.started('--port', '70000') as process:
            err = process.communicate(timeout=processes.DEADLINE_S)[1]
        self.assertEqual(2, process.returncode)
        self.assertIn('70000: give at most 65535', err)

    def test_asking_alone(self):
        """Follow no record; end although the cloud does not answer."""
        cloud = self.useFixture(clouds.ApiFixture())
        with self.started(
            '--no-record', '--os-cloud', cloud.name, '--port', '0'
        ) as process:
            line = process.stdout.readline()
            begun = re.fullmatch(
                rf'metrics of cloud {cloud.name} at (\S+)\n', line
            )
            if begun is None:
                process.terminate()
                self.fail(line + str(process.communicate()))
            url = begun[1]
            self.wait_for(lambda: FAILS.search(self.read(url)))
            self.assertNotIn('nova_ext_decisions', self.read(url))
            process.terminate()
            err = process.communicate(timeout=processes.DEADLINE_S)[1]
        self.assertEqual(0, process.returncode, err)
        self.assertNotIn('Traceback', err)

    def test_no_cloud(self):
        """Refuse what takes a cloud, and a cloud that is not there."""
        self.useFixture(clouds.ApiFixture())
        for words, status, line in (
            (['--no-record'], 2, '--no-record, --flavors and --rack-key take'),
            (['--rack-key', 'x'], 2, '--rack-key take --os-cloud; see '),
            (['--no-record', '--os-cloud', 'nowhere'], 1,
             'nova-ext-exporter: --os-cloud nowhere: Cloud nowhere was not'),
        ):
            with self.started(*words) as process:
                err = process.communicate(timeout=processes.DEADLINE_S)[1]
            self.assertEqual(status, process.returncode, err)
            self.assertIn(line, err)
            self.assertEqual(1, err.count('\n'), err)

    def test_can_not_listen(self):
        """Fail in one line, with exit status 1."""
        with self.started(
            '--record', str(self.record), '--port', '0',
            '--address', '192.0.2.1',
        ) as process:
            out, err = process.communicate(timeout=processes.DEADLINE_S)
        self.assertEqual(('', 1), (out, process.returncode))
        self.assertRegex(
            err, r'^nova-ext-exporter: 192\.0\.2\.1:0: Cannot assign [^\n]+\n$'
        )
