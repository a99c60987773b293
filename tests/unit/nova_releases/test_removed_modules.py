"""Test the modules and names that old plugins use."""

import builtins
import importlib
import pathlib
import re

import testtools

from nova_ext.nova_releases import removed_modules

PAGE = pathlib.Path(__file__).parents[3] / removed_modules.PAGE


class TestModules(testtools.TestCase):
    """Test the tables against what is installed."""

    def test_removed(self):
        """List no module that can be imported."""
        for name in removed_modules.MODULES:
            self.assertRaises(ImportError, __import__, name)

    def test_replacements(self):
        """Name only modules and names that can be imported."""
        for name, removed in removed_modules.MODULES.items():
            match = re.match(
                r'(?:from (\S+) )?import ([\w.]+)', removed.instead
            )
            if not match or 'NAME' in removed.instead or (
                # Nova does not need these.
                'oslo_db' in removed.instead or 'rootwrap' in name
            ):
                continue
            module, imported = match.groups()
            if not module:
                importlib.import_module(imported)
            elif not hasattr(importlib.import_module(module), imported):
                importlib.import_module(f'{module}.{imported}')

    def test_longest(self):
        """Take the longest module that fits."""
        for dotted, words in (
            ('nova.openstack.common.log.getLogger', 'from oslo_log import'),
            ('nova.openstack.common.nosuch', removed_modules.PAGE),
            ('nova.scheduler.filter_scheduler.FilterScheduler',
             'nova_ext.plugin.ComputeDriver'),
        ):
            cause, fix = removed_modules.find_module(dotted)
            self.assertIn('was removed in', cause)
            self.assertIn(words, fix)
        for dotted in ('nova.scheduler.filters', 'nova', 'oslo_config.cfg'):
            self.assertEqual(('', ''), removed_modules.find_module(dotted))

    def test_python2(self):
        """List no name that Python 3 has."""
        self.assertEqual(
            [], [name for name in removed_modules.PYTHON2_NAMES
                 if hasattr(builtins, name)],
        )

    def test_page(self):
        """Have the page that fixes name, with the modules of drivers."""
        text = PAGE.read_text()
        for name in ('nova.scheduler.driver', 'nova.scheduler.chance',
                     'nova.flags', 'nova.openstack.common.log'):
            self.assertIn(name, text)
