"""Run nova-ext-exporter in a lab, and read what it serves."""

import re
import subprocess
import time
from urllib import request

from prometheus_client import parser

from tests.lab import base

_ADDRESS = re.compile(r'at (http://127\.0\.0\.1:\d+)/metrics\n')
#: A busy machine rehearses ten servers in half a minute.
DEADLINE_S = 1200


class Exporter:
    """Run an exporter until the end of a test.

    :param test: the test case.
    :param options: of nova-ext-exporter.
    """

    def __init__(self, test, *options):
        self.process = subprocess.Popen(
            [
                str(base.BIN / 'nova-ext'), 'lab', 'run', '--',
                'nova-ext-exporter', '--port', '0', *options,
            ], text=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
        )
        test.addCleanup(self._end)
        line = self.process.stdout.readline()
        self.url = _ADDRESS.search(line)[1]

    def _end(self):
        self.process.terminate()
        self.process.communicate(timeout=60)

    def read_text(self):
        """Return the page that Prometheus reads."""
        with request.urlopen(f'{self.url}/metrics') as answer:  # noqa: S310
            return answer.read().decode()

    def read(self):
        """Return values by metric and the values of its labels, by name."""
        return {
            (sample.name, *(value for _, value in sorted(
                sample.labels.items()
            ))): sample.value
            for family in parser.text_string_to_metric_families(
                self.read_text()
            ) for sample in family.samples
        }

    def wait_for(self, *questions):
        """Return the values once answers begin after this call."""
        called, deadline = time.time(), time.monotonic() + DEADLINE_S
        while time.monotonic() < deadline:
            values = self.read()
            if all(
                values.get(('nova_ext_answer_timestamp_seconds', each), 0)
                > called for each in questions
            ):
                return values
            time.sleep(0.5)
        raise AssertionError(f'no answer about {questions}: {values}')
