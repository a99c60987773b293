"""Which names behind a ``$`` oslo.config can't replace, as it says itself."""

import testtools
from oslo_config import cfg

from nova_ext.nova_releases.undefined_names import find_undefined


def declare(*options):
    """Return options by name, as find_undefined() takes them."""
    return {option.dest: option for option in options}


class UndefinedNamesTest(testtools.TestCase):
    """Options of two groups, one of them with a capital."""

    def setUp(self):
        """Declare them."""
        super().setUp()
        self.options = {
            'DEFAULT': declare(
                cfg.StrOpt('my_ip', default='127.0.0.1'),
                cfg.StrOpt('state_path', required=True),
                cfg.IntOpt('port', default=1),
            ),
            'Extra': declare(cfg.StrOpt('folder'), cfg.StrOpt('name')),
        }

    def find(self, group, option, text):
        """Return the names that are found in one setting."""
        found = list(find_undefined([[group, option, text]], self.options))
        for each in found:
            self.assertEqual((group, option, text), each[:3])
        return [name for each in found for name in each[3]]

    def test_defined(self):
        """Options of the group, of DEFAULT, of a named group; and escapes."""
        for group, text in (
            ('DEFAULT', '$my_ip:${port}'), ('extra', '$name'),
            ('extra', '$my_ip'), ('DEFAULT', '$$none and \\$none'),
            ('DEFAULT', 'nothing'), ('DEFAULT', '${Extra.folder}'),
        ):
            self.assertEqual([], self.find(group, 'folder', text), text)

    def test_undefined(self):
        """Each name that stands for nothing, in its order."""
        self.assertEqual(
            ['none', 'nowhere'],
            self.find('DEFAULT', 'x', '/${none}/$my_ip/$nowhere'),
        )
        # Of another group it is not seen without the group's name.
        self.assertEqual(['folder'], self.find('DEFAULT', 'x', '$folder'))
        self.assertEqual(['folder'], self.find('extra', 'folder', '$folder'))

    def test_several(self):
        """Settings are found apart; groups that are not known are not told."""
        found = list(find_undefined([
            ['DEFAULT', 'a', '$none'], ['DEFAULT', 'b', '$my_ip'],
            ['extra', 'a', '$none'], ['elsewhere', 'a', '$none'],
            ['DEFAULT', 'c', 'plain'],
        ], self.options))
        self.assertEqual([
            ('DEFAULT', 'a', '$none', ['none']),
            ('extra', 'a', '$none', ['none']),
        ], found)
