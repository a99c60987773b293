"""Test reading the data of a record's lines."""

import json

import testtools

from nova_ext.record import line_data


class LineDataTest(testtools.TestCase):
    """Return texts that can be encoded."""

    def test_surrogates(self):
        """U+FFFD stands for each surrogate, in names too; pairs stay."""
        for line, text in (
            (rb'"\ud800"', '\ufffd'), (rb'"\uDFFFx"', '\ufffdx'),
            (b'"\xed\xa0\x80"', '\ufffd'), (rb'"\ud83d\ude00"', '\U0001f600'),
            (rb'"\\ud800"', r'\ud800'),
            (rb'"\\\ud800\"\u0000"', '\\\ufffd"\0'),
            ('"\xe4\ufffd"'.encode(), '\xe4\ufffd'),
        ):
            self.assertEqual(text, line_data.load(line))
            self.assertEqual(
                {text: [text]}, line_data.load(b'{%s:[%s]}' % (line, line))
            )
            line_data.decode(line).encode()

    def test_garbage(self):
        """Refuse what is no UTF-8, or no JSON."""
        for line in b'"\xff"', json.dumps('x').encode('utf-16'), b'', b'x':
            self.assertRaises(ValueError, line_data.load, line)
