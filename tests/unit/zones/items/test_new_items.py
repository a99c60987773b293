"""Tags of builds' servers."""

import testtools

from nova_ext.zones.items import new_items

PARENT, OTHER = (f'{digit * 8}-1111-4111-8111-111111111111' for digit in '12')


class TagsTest(testtools.TestCase):
    """Names by which zones find their servers."""

    def test_form(self):
        """Nova takes it; it begins as all of its zone do."""
        tag = new_items.create_tag(PARENT, 'build', 1, 1)
        self.assertRegex(tag, '^nx:[A-Za-z0-9._-]{1,57}$')
        self.assertTrue(tag.startswith(new_items.get_zone_prefix(PARENT)))
        self.assertFalse(tag.startswith(new_items.get_zone_prefix(OTHER)))

    def test_different(self):
        """Each zone, build, number and attempt has its own, always."""
        made = [
            new_items.create_tag(parent, build, number, attempt)
            for parent in (PARENT, OTHER) for build in ('a', 'b')
            for number in (1, 11) for attempt in (1, 2)
        ]
        self.assertEqual(len(made), len(set(made)))
        self.assertEqual(made[0], new_items.create_tag(PARENT, 'a', 1, 1))
