"""Test the text of the page."""

import base64
import hashlib
import re
from pathlib import Path

import fixtures
import testtools

from nova_ext.core.base.errors import NovaExtError
from nova_ext.html_report.render import render, write
from tests.unit.core.explanation.test_explain import attempt, decide, step

HOSTILE = '</script><script>alert("&\'")</script><img src=x onerror=y>'


class RenderTest(testtools.TestCase):
    """Render one file, and insert everything as text."""

    def test_markup_stays_text(self):
        """Insert markup as text, wherever it comes from."""
        page = render(decide(
            attempt(1, step(HOSTILE, 1, (HOSTILE, HOSTILE))),
            request_id=HOSTILE, message=HOSTILE,
        ))
        self.assertNotIn('<script>alert', page)
        self.assertNotIn('<img', page)
        self.assertEqual(1, page.count('</script>'))
        self.assertIn('&lt;img src=x onerror=y&gt;', page)

    def test_letters_that_are_not_seen(self):
        """Replace invisible characters, wherever they stand."""
        for hidden in ('\u202e', '\ud800', '\x1b'):
            page = render(decide(attempt(
                1, step(f'a{hidden}', 1, (f'b{hidden}', f'c{hidden}')),
                server=f'd{hidden}',
            )))
            self.assertNotIn(hidden, page)
            for letter in 'abcd':
                self.assertIn(f'{letter}\N{REPLACEMENT CHARACTER}', page)

    def test_policy(self):
        """Allow only the script and the style that the file holds."""
        page = render(decide())
        policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
        default, *told = policy[1].replace('&#39;', "'").split('; ')
        self.assertEqual("default-src 'none'", default)
        for kind, rule in zip(('script', 'style'), told, strict=True):
            text = re.search(f'<{kind}>(.*)</{kind}>', page, re.S)[1]
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest())
            self.assertEqual(f"{kind}-src 'sha256-{digest.decode()}'", rule)
        self.assertIsNone(
            re.search(r'<[^>]+\s(src|href|style|on\w+)=|url\(', page)
        )

    def test_next_to_nothing(self):
        """Render a sentence where nearly nothing is recorded."""
        page = render(decide(placement=None))
        self.assertIn('<h1>no host: nothing more is recorded</h1>', page)
        self.assertNotIn('<table', page)


class WriteTest(testtools.TestCase):
    """Write the file whole, or say why not."""

    def setUp(self):
        """Create a folder for it."""
        super().setUp()
        self.folder = Path(self.useFixture(fixtures.TempDir()).path)

    def test_replaces(self):
        """Replace a file that is there."""
        path = self.folder / 'page.html'
        for request in ('req-one', 'req-two'):
            write(path, decide(request_id=request))
        self.assertIn('req-two', path.read_text())
        self.assertNotIn('req-one', path.read_text())
        self.assertEqual(0o600, path.stat().st_mode & 0o777)

    def test_no_such_folder(self):
        """Name the path and what is wrong with it."""
        error = self.assertRaises(
            NovaExtError, write, self.folder / 'none' / 'page.html', decide()
        )
        self.assertEqual(
            f'{self.folder}/none/page.html can\'t be written: No such file '
            f'or directory', str(error),
        )
