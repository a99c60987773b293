"""Test that nova-api refuses extra specs that StatsFilter can't read."""

import testtools
from nova import exception
from nova.api.validation.extra_specs import validators


class ValidatorTest(testtools.TestCase):
    """Test the validators through their entry point."""

    def test_taken(self):
        """Accept requirements of any stat, and other extra specs."""
        for name, value in (
            ('stats:load1', '<= 8'), ('stats:nic.eth0-speed', '>= 1000'),
            ('stats:free_ram_mb', '= 5'), ('stat:load1', '< 8'),
        ):
            validators.validate(name, value)

    def test_refused(self):
        """Say what is wrong."""
        for name, value, words in (
            ('stats:load1', '< 8', "stats:load1='< 8': no operator"),
            ('stats:load1', '<= x', 'needs one number'),
            ('stats:ext:load1', '<= 8', 'not appear to be a valid'),
            ('stats:', '<= 8', 'not appear to be a valid'),
        ):
            error = self.assertRaises(
                exception.ValidationError, validators.validate, name, value
            )
            self.assertIn(words, str(error))
