"""Run nova-ext-exporter as a process."""

import re
from pathlib import Path
from urllib import request

import fixtures

from nova_ext.record import shortening
from tests.unit.cmd import processes
from tests.unit.record import samples

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
