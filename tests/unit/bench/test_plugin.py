"""Finding a plugin by what a person calls it."""

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
    """Installed, importable, or in a file."""

    def setUp(self):
        """Write a file with two plugins."""
        super().setUp()
        self.file = Path(self.useFixture(fixtures.TempDir()).join('one.py'))
        self.file.write_text(FILE)

    def refusal(self, word):
        """The line that refuses it."""
        return str(self.assertRaises(NovaExtError, plugin.find, word))

    def test_installed(self):
        """By the name of its entry point, of any group."""
        found = plugin.find('SpecifiedHostWeigher')
        self.assertEqual(plugin.Plugin(SpecifiedHostWeigher, 'weigher'), found)
        self.assertEqual('driver', plugin.find('IPScheduler').kind)

    def test_importable(self):
        """By module and class, one of Nova's kind too."""
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
        """By file and class, or the file alone where there is one."""
        found = plugin.find(f'{self.file}:OneWeigher')
        self.assertEqual(('OneWeigher', 'weigher'), (found.name, found.kind))
        self.assertIn('OneFilter, OneWeigher', self.refusal(str(self.file)))
        self.file.write_text(FILE.partition('class OneWeigher')[0])
        self.assertEqual('OneFilter', plugin.find(str(self.file)).name)

    def test_refusals(self):
        """One line that says what there is."""
        for word, said in (
            ('IPSchedule', 'did you mean IPScheduler?'),
            ('no.such:Plugin', 'no.such does not load: ModuleNotFoundError'),
            ('nova_ext.drivers.ip:IP', 'has no IP; available: IPScheduler'),
            ('nova_ext.core.base.errors:RecordError', 'is no filter, weigher'),
            (f'{self.file}:Two', 'available: OneFilter, OneWeigher'),
            ('absent.py', 'absent.py: no Python file'),
        ):
            self.assertIn(said, self.refusal(word))
