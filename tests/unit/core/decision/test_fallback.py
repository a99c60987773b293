"""Name why Nova decides instead of the mirror."""

import json
import re
from pathlib import Path

import testtools
import yaml

from nova_ext.core.base import plain_data
from nova_ext.core.decision.decision import MirrorCheck
from nova_ext.core.decision.fallback import (
    Fallback,
    FallbackError,
    format_fallback,
)

ROOT = Path(__file__).parents[4]


class FallbackTest(testtools.TestCase):
    """Read the reasons, and what is made from them."""

    def test_ids(self):
        """Each reason has an id, words and a cause of its own."""
        for values in (
            [each.value for each in Fallback],
            [each.text for each in Fallback],
            [each.cause for each in Fallback],
        ):
            self.assertEqual(len(Fallback), len(set(values)))
            self.assertTrue(all(values))
        for each in Fallback:
            self.assertRegex(each.value, '^[a-z_]+$')

    def test_words(self):
        """What varies follows the reason; an unknown id is kept."""
        self.assertEqual(
            'no host in the mirror fits', format_fallback('no_host')
        )
        self.assertEqual(
            'an error: KeyError', format_fallback('error', 'KeyError')
        )
        self.assertEqual(
            'a reason that this version does not know: other',
            format_fallback('other'),
        )
        self.assertEqual(
            'an unknown part of the query to placement: resources1',
            str(FallbackError(Fallback.QUERY, 'resources1')),
        )

    def test_record(self):
        """A record keeps the id and the detail."""
        check = MirrorCheck(fallback=Fallback.ERROR, detail='KeyError')
        data = json.loads(json.dumps(plain_data.dump_sparse(check)))
        self.assertEqual({'fallback': 'error', 'detail': 'KeyError'}, data)
        self.assertEqual(check, plain_data.load(MirrorCheck, data))

    def test_alert(self):
        """The example's alert names reasons that there are."""
        rules = yaml.safe_load(
            (ROOT / 'etc/nova_ext/prometheus/alerts.yaml').read_text()
        )
        (named,) = re.findall(r'fallbacks_total\{reason=~"(.*?)"', str(rules))
        self.assertLessEqual(set(named.split('|')), set(Fallback))
