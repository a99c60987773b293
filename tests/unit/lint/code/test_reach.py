"""Whether a plugin's source tells all hints that it reads."""

import textwrap
from pathlib import Path

import fixtures
import testtools

from nova_ext.lint.code import hints, reach
from nova_ext.lint.code.find import Finder
from nova_ext.lint.code.plugin import Reader

MODULE = '''
import functools
import logging
import os

from nova.scheduler import filters
from nova_ext.core import hints as given
from nova_ext.core.occasion import occasion

LOG = logging.getLogger(__name__)
RACK = 'rack'
FOUND = 'rack'
FOUND = os.environ.get('RACK_HINT', FOUND)


def wanted(spec):
    """A function of the module."""
    return spec.get_scheduler_hint('shelf')


def first(hints):
    """It is given the hints themselves."""
    return hints.get('shelf')


def any_of(spec):
    """It hands on what it is given."""
    return os.fspath(spec)


class RackFilter(filters.BaseHostFilter):
    """Looks at a request."""

    hint = 'rack'

    def host_passes(self, host, spec):
        """Look."""
{}

    def _own(self, spec):
        return spec.get_scheduler_hint('shelf')

    @functools.cache
    def _kept(self, spec):
        return spec.get_scheduler_hint('shelf')
'''


class ReachTest(testtools.TestCase):
    """One filter, with one body after the other."""

    def reached(self, body):
        """The hints that are found, and whether these are all."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        (folder / 'racks.py').write_text(
            MODULE.format(textwrap.indent(textwrap.dedent(body), ' ' * 8))
        )
        reader = Reader(Finder([str(folder)], use_nova=False))
        plugin = reader.plugin('racks.RackFilter')
        found = reach.reach(plugin, reader)
        return (
            hints.honoured(plugin, reader, found.functions), found.whole
        )

    def test_by_name(self):
        """Every way to read a hint whose name stands there."""
        for body in (
            'return spec.get_scheduler_hint("rack")',
            'return spec.get_scheduler_hint(RACK, "")',
            'return spec.get_scheduler_hint(self.hint)',
            'return given.values(spec, "rack")',
            'return spec.scheduler_hints["rack"]',
            'return "rack" in spec.scheduler_hints',
            'return (spec.scheduler_hints or {}).get("rack")',
            '''
            hints = (
                spec.scheduler_hints if 'scheduler_hints' in spec else None
            ) or {}
            return hints.get('rack')
            ''',
            '''
            if not spec.scheduler_hints:
                return True
            if spec.scheduler_hints and spec.image:
                return spec.scheduler_hints.get('rack')
            return True
            ''',
        ):
            self.assertEqual(
                ({'rack', 'shelf'}, True), self.reached(body), body
            )

    def test_no_hint(self):
        """What else is done with requests."""
        for body in (
            'return spec.flavor.extra_specs.get("a") and spec is not None',
            'return "image" in spec and bool(spec) and occasion(spec)',
            'return getattr(spec, "image", None)',
            'return self.facts.stat(host, spec)',
            'return super().host_passes(host, spec)',
            'LOG.debug("asked of %s", {"request": spec})',
            'return self._own(spec)',
        ):
            self.assertEqual(({'shelf'}, True), self.reached(body), body)

    def test_functions(self):
        """Of a module, with the request or its hints; by keyword, too."""
        for body in (
            'return wanted(spec)',
            'return wanted(spec=spec)',
            'return first(spec.scheduler_hints)',
        ):
            self.assertEqual(({'shelf'}, True), self.reached(body), body)

    def test_unknown(self):
        """Any hint may be read."""
        for body in (
            'name = "rack"; return spec.get_scheduler_hint(name)',
            'return spec.get_scheduler_hint(FOUND)',
            'return given.values(spec, os.environ["RACK_HINT"])',
            'return spec.scheduler_hints[self.options["hint"]]',
            'return any(key for key in spec.scheduler_hints)',
            'return spec.scheduler_hints == {}',
            'found = spec.scheduler_hints; return found.get("rack")',
            'return spec.scheduler_hints.items()',
            'get = spec.get_scheduler_hint; return get("rack")',
            'return spec.to_legacy_filter_properties_dict()',
            'return getattr(spec, "scheduler_hints")',
            'return getattr(spec, host.name)',
            'self.spec = spec',
            'return os.fspath(spec)',
            'return any_of(spec)',
            'return wanted(*[spec])',
            'return self.asked(spec)',
            'return self._kept(spec)',
            'return [spec]',
        ):
            self.assertFalse(self.reached(body)[1], body)
