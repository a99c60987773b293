"""Test the page in a real browser, a headless Chromium."""

import json
import os
import shutil
import tempfile
import unittest
from pathlib import Path

import testtools
from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from nova_ext.core.decision import decision as d
from nova_ext.html_report.render import write
from nova_ext.record import shortening
from tests.unit.core.explanation.test_explain import (
    absent,
    attempt,
    decide,
    step,
)
from tests.unit.html_report.test_bars import weighing

#: Of [nova_ext_record] max_decision_kb, so that all of them are named; the
#: default, 64, keeps 1,000 names a reason here.
RECORD_KB = 128
HOSTS = [f'cmp-{number:05}' for number in range(10_000)]


def failed():
    """Return a recorded decision that none of 10,000 hosts survived."""
    offered = HOSTS[2000:]
    line = shortening.to_line(decide(
        attempt(
            len(offered),
            step('ComputeFilter', 8000, ('disabled', *offered[:3000])),
            step('SpecifiedHostFilter', 5000, ('', *offered[3000:])),
        ),
        hosts_total=len(HOSTS), absent=absent(*HOSTS[:2000]),
    ), RECORD_KB * 1024)
    return d.Decision.from_dict(json.loads(line))


def placed():
    """Return a decision between three hosts."""
    return decide(
        attempt(
            4, step('ComputeFilter', 4, ('disabled', 'd')),
            ranked=['b', 'a', 'c'], weighers=[
                weighing('RAMWeigher', 1.0, a=0.5, b=1.0, c=0.1),
                weighing('IoOpsWeigher', -1.0, a=0.5, b=0.1, c=1.0),
            ],
        ),
        outcome=d.PLACED, chosen={'server-a': ['b', 'a']}, hosts_total=4,
    )


class BrowserTestCase(testtools.TestCase):
    """Open one page; skip where Chromium is not installed."""

    decision = staticmethod(failed)
    scheme = 'light'

    @classmethod
    def setUpClass(cls):
        """Start a browser."""
        super().setUpClass()
        chromium, driver = map(shutil.which, ('chromium', 'chromedriver'))
        if not chromium or not driver:
            raise unittest.SkipTest(
                'Chromium is not installed; on Debian: apt install chromium '
                'chromium-driver'
            )
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for argument in (
            '--headless', '--disable-gpu', '--disable-dev-shm-usage',
            '--window-size=1400,1000', f'--user-data-dir={cls.folder}/profile',
            *(['--no-sandbox'] if os.geteuid() == 0 else ()),
        ):
            options.add_argument(argument)
        options.set_capability('goog:loggingPrefs', {'browser': 'ALL'})
        cls.browser = cls.enterClassContext(
            webdriver.Chrome(options, webdriver.ChromeService(driver))
        )

    def setUp(self):
        """Open the page."""
        super().setUp()
        self.see(scheme=self.scheme)
        page = self.folder / 'page.html'
        write(page, self.decision())
        self.browser.get(page.as_uri())

    def see(self, media='', scheme=''):
        """Have pages look as on a medium, or in a colour scheme."""
        self.browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {
            'media': media, 'features': [
                {'name': 'prefers-color-scheme', 'value': scheme},
            ],
        })

    def find(self, selector):
        """Return one element."""
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def hosts(self):
        """Return the hosts that are shown, from the top."""
        return self.browser.execute_script(
            'return [...document.querySelectorAll("#hosts tbody tr")]'
            '.filter((row) => row.checkVisibility())'
            '.map((row) => row.cells[0].textContent)'
        )

    def shown(self):
        """Return the page's count of hosts that are shown."""
        return self.find('#shown').text

    def assert_accessible(self):
        """Assert that no rule of axe is broken, contrast included."""
        output = Axe().run(self.browser)['violations']
        self.assertEqual([], [
            (rule['id'], [node['html'][:200] for node in rule['nodes'][:3]])
            for rule in output
        ])


class ManyHostsTest(BrowserTestCase):
    """Show 10,000 hosts."""

    def test_search_and_sort(self):
        """Search and sort by the keyboard alone, and log nothing."""
        self.assertEqual('200 of 10,000 lines', self.shown())
        self.assertEqual(HOSTS[:200], self.hosts())
        search = self.find('#search')
        search.send_keys('disabled cmp-020')
        self.assertEqual('100 of 10,000 lines', self.shown())
        self.assertEqual(HOSTS[2000:2100], self.hosts())
        search.send_keys(Keys.CONTROL, 'a')
        search.send_keys(Keys.BACKSPACE, Keys.TAB)
        more = self.browser.switch_to.active_element
        self.assertEqual('Show all 10,000', more.text)
        more.send_keys(Keys.ENTER)
        self.assertEqual(10_000, len(self.hosts()))
        heading = self.find('#hosts thead th')
        button = heading.find_element(By.TAG_NAME, 'button')
        for order, hosts in (
            ('ascending', HOSTS), ('descending', HOSTS[::-1]),
        ):
            button.send_keys(Keys.SPACE)
            self.assertEqual(order, heading.get_attribute('aria-sort'))
            self.assertEqual(hosts, self.hosts())
        self.assertEqual([], self.browser.get_log('browser'))

    def test_stages(self):
        """Show how far a host came."""
        self.find('#search').send_keys('cmp-02000')
        row = self.find('#hosts tbody tr:not([hidden])')
        self.assertEqual('cmp-02000 rejected ✓ ✕ disabled', row.text)

    def test_print(self):
        """Print the sentence and no search field."""
        self.see(media='print')
        self.assertTrue(self.find('h1').is_displayed())
        self.assertFalse(self.find('#search').is_displayed())
        self.assertTrue(self.browser.print_page())


class WeightsTest(BrowserTestCase):
    """Show weights of hosts that passed."""

    decision = staticmethod(placed)

    def test_bars(self):
        """Draw a part of a bar as wide as its weight."""
        widths = [
            part.rect['width'] for part in self.browser.find_elements(
                By.CSS_SELECTOR, '#weights tbody rect'
            )
        ]
        unit = max(widths)
        self.assertEqual(
            [1.0, .1, .5, .5, .1, 1.0],
            [round(width / unit, 1) for width in widths],
        )

    def test_accessible(self):
        """Break no rule of accessibility."""
        self.assert_accessible()


class DarkTest(BrowserTestCase):
    """Show a page in the dark colour scheme."""

    decision = staticmethod(placed)
    scheme = 'dark'

    def test_accessible(self):
        """Use other colours of enough contrast."""
        ground = self.find('body').value_of_css_property('background-color')
        self.assertEqual('rgba(20, 24, 29, 1)', ground)
        self.assert_accessible()
