"""Test the page of a replay in a real browser."""

from selenium.webdriver.common.by import By

from nova_ext.replay import page
from tests.browser.test_page import BrowserTestCase
from tests.unit.replay import samples


class ReplayPageTest(BrowserTestCase):
    """A replay of three decisions under two configurations."""

    def setUp(self):
        """Open the page."""
        super().setUp()
        path = self.folder / 'replay.html'
        page.write(path, samples.result(
            *samples.changes(), names=('new.conf', 'other.conf')
        ))
        self.browser.get(path.as_uri())

    def list_cells(self, selector):
        """Return the text of the cells of a table's rows."""
        return [
            [cell.text for cell in row.find_elements(By.CSS_SELECTOR, 'th,td')]
            for row in self.browser.find_elements(By.CSS_SELECTOR, selector)
        ]

    def test_read(self):
        """What was verified comes first, then before and after."""
        self.assertIn(
            'Under the journal\'s own configuration', self.find('h1').text
        )
        self.assertEqual(
            ['new.conf', 'other.conf'], [
                each.text for each in self.browser.find_elements(
                    By.CSS_SELECTOR, 'h2[id^=outcome]'
                )
            ],
        )
        self.assertEqual(
            [['placed', '2', '2'], ['not placed', '1', '1']],
            self.list_cells('section:first-of-type > table tbody tr'),
        )
        ((_, cause, new, other, *_), *_) = self.list_cells(
            '[aria-labelledby=causes] tbody tr'
        )
        self.assertIn('IsolatedHostsFilter', cause)
        self.assertEqual(('1', '1'), (new, other))
        self.assertEqual([], self.browser.get_log('browser'))

    def test_day(self):
        """Each decision is drawn where it was made, as what it became."""
        strip = self.find('svg.day').rect
        for kind, place in (
            ('placed_none', 0.0), ('same', 0.5), ('none_placed', 1.0),
        ):
            drawn = self.find(f'svg.day rect.{kind}').rect
            middle = drawn['x'] + drawn['width'] / 2 - strip['x']
            self.assertAlmostEqual(
                place, middle / strip['width'], delta=0.02
            )
            self.assertAlmostEqual(strip['height'], drawn['height'], delta=1)
        colors = {
            self.find(f'svg.day rect.{kind}').value_of_css_property('fill')
            for kind in ('placed_none', 'same', 'none_placed')
        }
        self.assertEqual(3, len(colors))

    def test_examples(self):
        """The changed decisions open, by the keyboard too."""
        summary = self.find('details summary')
        rows = 'section:first-of-type details tbody tr'
        self.assertFalse(self.find(rows).is_displayed())
        summary.send_keys(' ')
        self.assertTrue(self.find(rows).is_displayed())
        self.assertEqual('2 changed decisions', summary.text)
        lost, gained = self.list_cells(rows)
        self.assertEqual(
            ['1970-01-01 00:16:41', 'req-1', 'small', 'a', 'none'], lost[:5]
        )
        self.assertEqual(['none', 'b'], gained[3:5])
        self.assertIn('partial\nmissing: the seed of the draw', gained[6])

    def test_accessible(self):
        """No rule of axe is broken, open or closed, light or dark."""
        for scheme in ('light', 'dark'):
            self.see(scheme=scheme)
            self.assert_accessible()
            self.find('details summary').click()
            self.assert_accessible()

    def test_alone(self):
        """It runs no script, and loads nothing."""
        self.assertEqual([0, 0], self.browser.execute_script(
            'return [document.scripts.length,'
            ' performance.getEntriesByType("resource").length]'
        ))
