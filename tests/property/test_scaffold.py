"""Names of new packages, whatever is typed."""

import keyword

import testtools
from hypothesis import given
from hypothesis import strategies as st

from nova_ext.core.base.errors import NovaExtError
from nova_ext.scaffold import names
from nova_ext.scaffold.names import KINDS

KIND = st.sampled_from(sorted(KINDS)).map(KINDS.get)
WORD = st.from_regex(r'[a-z][a-z0-9]{0,7}', fullmatch=True)


class DeriveTest(testtools.TestCase):
    """Test what holds for every name."""

    @given(KIND, st.text(max_size=70) | st.from_regex(r'[\w-]{1,70}'))
    def test_usable_or_refused(self, kind, name):
        """Python, pip and a shell can use all of them."""
        try:
            made = names.derive(kind, name)
        except NovaExtError as error:
            self.assertNotIn('\n', str(error))
            return
        for word in (made.module, made.class_name):
            self.assertTrue(word.isidentifier() and word.isascii(), word)
            self.assertFalse(keyword.iskeyword(word), word)
        self.assertEqual(made.module, made.distribution.replace('-', '_'))
        self.assertTrue(made.class_name.endswith(kind.endings[0]))

    @given(KIND, st.lists(WORD, min_size=1, max_size=4))
    def test_spellings(self, kind, words):
        """Snake, kebab and camel case come to the same package."""
        snake = '_'.join(words)
        camel = ''.join(word.capitalize() for word in words)
        try:
            made = names.derive(kind, snake)
        except NovaExtError:
            return
        self.assertEqual(made, names.derive(kind, '-'.join(words)))
        if all(len(word) > 1 for word in words):
            self.assertEqual(made, names.derive(kind, camel))
            self.assertEqual(made, names.derive(kind, made.class_name))
