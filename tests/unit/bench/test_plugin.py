"""Find a plugin by a word that a person types."""

from pathlib import Path

import fixtures
import testtools

from nova_ext.bench import plugin
from nova_ext.core.base.errors import NovaExtError
from nova_ext.weighers.specified_host import SpecifiedHostWeigher

FILE = '''
from nova_ext.core.extension import Filter, Weigher


class OneFilter(Filter):
    pass


class OneWeigher(Weigher):
    pass
'''


class FindTest(testtools.TestCase):
    """Find installed, importable and plain plugins."""

    def setUp(self):
        """Write a file with two plugins."""
        super().setUp()
        self.file = Path(self.useFixture(fixtures.TempDir()).join('one.py'))
        self.file.write_text(FILE)

    def refusal(self, word):
        """Return the line that refuses it."""
        return str(self.assertRaises(NovaExtError, plugin.find, word))

    def test_installed(self):
        """Find by the name of an entry point, of any group."""
        self.assertEqual(
            plugin.Plugin(SpecifiedHostWeigher, 'weigher'),
            plugin.find('SpecifiedHostWeigher'),
        )
        self.assertEqual('driver', plugin.find('IPScheduler').kind)

    def test_importable(self):
        """Find by module and class, one of Nova's kind too."""
        self.assertIs(
            SpecifiedHostWeigher,
            plugin.find(
                'nova_ext.weighers.specified_host:SpecifiedHostWeigher'
            ).cls,
        )
        self.assertEqual(
            'filter',
            plugin.find('nova.scheduler.filters.compute_filter:ComputeFilter')
            .kind,
        )

    def test_in_a_file(self):
        """Find by file and class, or by the file of a single class."""
        match = plugin.find(f'{self.file}:OneWeigher')
        self.assertEqual(('OneWeigher', 'weigher'), (match.name, match.kind))
        self.assertIn('OneFilter, OneWeigher', self.refusal(str(self.file)))
        self.file.write_text(FILE.partition('class OneWeigher')[0])
        self.assertEqual('OneFilter', plugin.find(str(self.file)).name)

    def test_refusals(self):
        """Refuse in one line that says what there is."""
        for word, text in (
            ('IPSchedule', 'did you mean IPScheduler?'),
            ('no.such:Plugin', 'no.such does not load: ModuleNotFoundError'),
            ('nova_ext.drivers.ip:IP', 'has no IP; available: IPScheduler'),
            ('nova_ext.core.base.errors:RecordError', 'is no filter, weigher'),
            (f'{self.file}:Two', 'available: OneFilter, OneWeigher'),
            ('absent.py', 'absent.py: no Python file'),
        ):
            self.assertIn(text, self.refusal(word))
