"""Enable OfferFilter, with hosts that are folders."""

from tests.playbooks import base
from tests.playbooks.test_configure import FILE, PASSED_ON

OFFERS = {'nova_ext_filters': ['OfferFilter']}


class OffersTest(base.PlaybookTestCase):
    """Give two schedulers the offers' secret, then the filter."""

    names = ('one', 'two')

    def test_order(self):
        """The secret is on all before the filter is on any."""
        secret = {'nova_ext_secret_options': {
            'nova_ext_offers': {'secret': PASSED_ON},
        }}
        refused = self.play('configure', status=2, **OFFERS, **secret)
        self.assertIn('OfferFilter needs the same', refused.output)
        self.assertEqual([], self.restarts())

        # Of two schedulers one has another's.
        self.hosts['two']['nova_ext_secret_options'] = {
            'nova_ext_offers': {'secret': 'another'},
        }
        self.variables.update(secret)
        self.play('configure', nova_ext_filters=[])
        refused = self.play('configure', '-vvv', status=2, **OFFERS)
        self.assertIn('OfferFilter needs the same', refused.output)
        self.assertNotIn(PASSED_ON, refused.output)
        self.assertNotIn('OfferFilter', self.read('one', FILE))

        del self.hosts['two']['nova_ext_secret_options']
        self.play('configure', nova_ext_filters=[])
        self.play('configure', **OFFERS)
        for host in self.names:
            self.assertIn('SameHostFilter,OfferFilter\n',
                          self.read(host, FILE))
