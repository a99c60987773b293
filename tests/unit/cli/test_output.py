"""Print variables of a shell."""

import argparse
import io
import json
import subprocess

import testtools

from nova_ext.cli import output


class ShellFormatterTest(testtools.TestCase):
    """Have a shell read the output, and run nothing of it."""

    def test_read(self):
        """Read it by sh itself."""
        text = 'a "b" $(echo c) `echo d` $HOME \\ \\" \\\n\'e\' !!'
        rows = [{'reason': text}]
        out = io.StringIO()
        output.ShellFormatter().emit_one(
            ('sentence', 'rows'), (text, rows), out,
            argparse.Namespace(prefix='a_', variables=[]),
        )
        for name, told in (('a_sentence', text), ('a_rows', json.dumps(rows))):
            done = subprocess.run(
                ['sh', '-c', f'{out.getvalue()}printf %s "${name}"'],
                capture_output=True, text=True, check=True, timeout=60,
            )
            self.assertEqual(told, done.stdout)
