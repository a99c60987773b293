"""Parts of sentences."""

import testtools

from nova_ext.core.explanation import group_text, text_format
from nova_ext.core.explanation.host_counts import Group


class TextFormatTest(testtools.TestCase):
    """Limits, and what just fits."""

    def test_sanitize(self):
        """A text that fits is whole."""
        self.assertEqual('abc', text_format.sanitize('abc', 3))
        self.assertEqual('ab\u2026', text_format.sanitize('abcd', 3))
        self.assertEqual('a\ufffdb c', text_format.sanitize('a\x1bb\nc'))

    def test_details(self):
        """As many as fit, and how many more."""
        for number, more in ((5, ''), (6, '; 1 more')):
            group = Group('filter', 'F', 'at', number, details={
                f'h{n}': f'{n} s' for n in range(number)
            })
            self.assertEqual(
                'at ' + '; '.join(f'{n} s (h{n})' for n in range(5)) + more,
                group_text.format_reason(group),
            )
