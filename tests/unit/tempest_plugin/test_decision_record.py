"""Have nova-ext explain look in the records of all schedulers."""

from pathlib import Path

import fixtures

from nova_ext.tempest_plugin import decision_record
from tests.unit.tempest_plugin import base

#: Replaces nova-ext: a record has a decision about the servers it names, and
#: one that is read for the first time gets what is to be written to it.
EXPLAIN = """#!/bin/sh
[ "$1 $3 $4" = "explain --record-only --record" ] || exit 2
if grep -qs "$2" "$5"; then
    echo "$2 is explained by $5"
    exit
fi
echo "nova-ext: $5 has no decision about $2" >&2
[ ! -e "$5.late" ] || mv "$5.late" "$5"
exit 1
"""


class ExplainTest(base.TempestConfTestCase):
    """Two schedulers, each with a record."""

    def setUp(self):
        """A double of the command."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)
        (self.folder / 'bin').mkdir()
        program = self.folder / 'bin' / 'nova-ext'
        program.write_text(EXPLAIN)
        program.chmod(0o700)
        self.useFixture(fixtures.MonkeyPatch('sys.prefix', str(self.folder)))
        self.records = [self.folder / name for name in ('first', 'second')]
        self.configure(f'record = {",".join(map(str, self.records))}')

    def test_each(self):
        """Look in each record."""
        for number, record in enumerate(self.records):
            record.write_text(f'server-{number}\n')
        for number, record in enumerate(self.records):
            self.assertEqual(
                f'server-{number} is explained by {record}\n',
                decision_record.explain(f'server-{number}'),
            )

    def test_late(self):
        """Wait for what the scheduler writes after its answer."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.tempest_plugin.scheduler_log.DEADLINE_S', 150
        ))
        (self.folder / 'second.late').write_text('server-2\n')
        self.assertEqual(
            f'server-2 is explained by {self.folder}/second\n',
            decision_record.explain('server-2'),
        )

    def test_absent(self):
        """Fail with what nova-ext says of each."""
        self.expect_no_wait()
        error = self.assertRaises(
            AssertionError, decision_record.explain, 'server-3'
        )
        self.assertEqual('\n'.join(
            f'{record}: nova-ext: {record} has no decision about server-3'
            for record in self.records
        ), str(error))
