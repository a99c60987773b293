"""Have hostile lines in the record, and read it by all that reads it."""

import json
from pathlib import Path

import fixtures
from prometheus_client import CollectorRegistry, generate_latest

from nova_ext.decisions import shipper
from nova_ext.metrics.exporter import DecisionMetrics
from nova_ext.record import reader
from tests.hostile import drawing
from tests.unit.api.base import OURS, ApiTestCase
from tests.unit.record.samples import failure_line

LINES = 1000
#: Every so many lines is a decision.
EVERY = 10


def spoil_line(line, dice):
    """Return a line of which something is wrong."""
    if dice.random() < 0.7:
        return drawing.to_json(drawing.spoil(json.loads(line), dice)) + b'\n'
    return drawing.spoil_bytes(line, dice)


class LinesTest(ApiTestCase):
    """Write a record, ship it, and look at it over HTTP."""

    def setUp(self):
        """Write decisions between hostile lines."""
        super().setUp()
        self.record = Path(
            self.useFixture(fixtures.TempDir()).path
        ) / 'decisions.jsonl'
        dice = drawing.open_dice('lines')
        kinds = [
            failure_line(project_id=OURS, operation=operation)
            for operation in ('', 'first boot', 'move')
        ]
        self.wanted = {
            f'req-known-{number}' for number in range(LINES // EVERY)
        }
        with self.record.open('wb') as stream:
            for request in sorted(self.wanted):
                for _ in range(EVERY - 1):
                    stream.write(spoil_line(dice.choice(kinds), dice))
                stream.write(b'\n' + failure_line(
                    request_id=request, project_id=OURS
                ))

    def test_shipped(self):
        """Each decision is stored, and whatever is stored can be shown."""
        while shipper.ship(self.record, 'ctl', self.database):
            pass
        listed = [*self.list_decisions('member')]
        self.assertEqual(
            self.wanted, self.wanted & {each['request_id'] for each in listed}
        )
        listed = [*self.list_decisions('admin')]
        for each in listed:
            self.ask(f'/v1/decisions/{each["id"]}')
            self.ask(f'/v1/decisions/{each["id"]}/page')
        stored = len(listed) - len(self.wanted)
        drawing.count('lines, shipped', {
            'decisions stored': len(self.wanted), 'hostile stored': stored,
            'hostile left out': LINES - len(listed),
        })

    def list_decisions(self, who):
        """Yield all decisions of all pages."""
        path = '/v1/decisions?limit=1000'
        while path:
            answer = self.ask(path, who)
            yield from answer['decisions']
            link, = answer.get('decisions_links', [{'href': ''}])
            path = link['href'].removeprefix('http://localhost')

    def test_searched(self):
        """Each decision is found in the file."""
        for request in sorted(self.wanted)[:5]:
            found = reader.find(self.record, request)
            self.assertEqual(1, found.matches, request)
        drawing.count('lines, searched', {
            'read': found.lines, 'no decision': found.garbage,
        })

    def test_exported(self):
        """The exporter counts what is a decision."""
        registry = CollectorRegistry()
        metrics = DecisionMetrics(registry)
        with reader.open_record(self.record) as files:
            lines = [*reader.read_lines(files)]
        for line in lines:
            metrics.add(line)
        self.assertIn(b'nova_ext_decisions_total', generate_latest(registry))
        drawing.count('lines, exported', {'read': len(lines)})
