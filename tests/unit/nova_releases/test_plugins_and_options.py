"""Compare the tables of Nova's names with Nova."""

import ast
import inspect
import re

import testtools
from nova.conf import scheduler as options
from nova.scheduler import filters as nova_filters
from nova.scheduler import weights as nova_weights

from nova_ext.config_files import sources
from nova_ext.config_files.configuration import Configuration, Value
from nova_ext.core.base.finding import Location
from nova_ext.lint import checks
from nova_ext.lint.checks.settings import multipliers
from nova_ext.lint.subject.configured_plugin import ConfiguredPlugin
from nova_ext.lint.subject.subject import Subject
from nova_ext.nova_releases import (
    plugins_and_options,
    removed_names,
    scheduler_options,
)
from nova_ext.source_code.module_finder import Finder
from nova_ext.source_code.plugin_source import Reader


def declared():
    """Return Nova's scheduler options, by name by group."""
    return {
        group.name: {option.dest: option for option in listed}
        for group, listed in options.list_opts().items()
    }


def hints_read(cls):
    """Return the hints that a class and its base classes read."""
    return {
        node.args[0].value
        for base in cls.__mro__ if base.__module__.startswith('nova.sched')
        for node in ast.walk(ast.parse(inspect.getsource(base).strip()))
        if isinstance(node, ast.Call)
        and getattr(node.func, 'attr', '') == 'get_scheduler_hint'
    }


class TestFacts(testtools.TestCase):
    """Test the tables of what Nova has."""

    def test_filters(self):
        """List every filter, its module, and the hints that it reads."""
        there = {
            cls.__name__: cls for cls in nova_filters.all_filters()
        }
        self.assertEqual(set(there), set(plugins_and_options.FILTERS))
        for name, known in plugins_and_options.FILTERS.items():
            self.assertEqual(
                f'nova.scheduler.filters.{known.module}',
                there[name].__module__,
            )
            # The server group is the API's hint: it is in the request spec.
            self.assertEqual(
                hints_read(there[name]), set(known.hints) - {'group'}
            )

    def test_default_filters(self):
        """List the filters that are enabled by default."""
        self.assertEqual(
            declared()['filter_scheduler']['enabled_filters'].default,
            list(plugins_and_options.DEFAULT_FILTERS),
        )

    def test_weighers(self):
        """List every weigher and its module."""
        self.assertEqual(
            {
                cls.__name__: cls.__module__
                for cls in nova_weights.all_weighers()
            },
            {
                name: f'nova.scheduler.weights.{module}'
                for name, module in plugins_and_options.WEIGHERS.items()
            },
        )

    def test_options(self):
        """List every option of the scheduler and its type."""
        there = declared()
        self.assertEqual(set(there), set(scheduler_options.OPTIONS))
        for group, known in scheduler_options.OPTIONS.items():
            self.assertEqual(set(there[group]), set(known))
            for name, type_ in known.items():
                if not getattr(there[group][name].type, 'choices', None):
                    self.assertEqual(
                        str(there[group][name].type), str(type_), name
                    )

    def test_multi(self):
        """List the options that may be given several times."""
        self.assertEqual(
            {
                (group, name) for group, named in declared().items()
                for name, option in named.items() if option.multi
            },
            scheduler_options.MULTI,
        )

    def test_what_options_need(self):
        """Name filters and weighers that exist."""
        named = {
            name for names in scheduler_options.FILTERS_OF_OPTIONS.values()
            for name in names
        }
        self.assertEqual(set(), named - set(plugins_and_options.FILTERS))
        weighers = set(scheduler_options.WEIGHERS_OF_OPTIONS.values())
        self.assertEqual(set(), weighers - set(plugins_and_options.WEIGHERS))
        written = {
            *scheduler_options.FILTERS_OF_OPTIONS,
            *scheduler_options.WEIGHERS_OF_OPTIONS,
        }
        self.assertEqual(set(), written - set(declared()['filter_scheduler']))

    def test_signs(self):
        """Have no wrong sign in Nova's defaults."""
        for (group, name), (sign, _) in multipliers._WRONG.items():
            if group in declared():
                default = declared()[group][name].default
                self.assertLess(default * sign, 0, name)


class TestHistory(testtools.TestCase):
    """Test the tables of what Nova removed."""

    def test_filters(self):
        """List no filter that Nova has."""
        self.assertEqual(
            set(),
            set(removed_names.FILTERS) & set(plugins_and_options.FILTERS),
        )

    def test_options(self):
        """List no option that Nova reads, also under an old name."""
        read = {
            (alias.group or group, alias.name or name)
            for group, named in declared().items()
            for name, option in named.items()
            for alias in option.deprecated_opts
        } | {
            (group, name) for group, named in declared().items()
            for name in named
        }
        self.assertEqual(set(), set(removed_names.OPTIONS) & read)

    def test_instead(self):
        """Advise options that exist."""
        for gone in removed_names.OPTIONS.values():
            for group, name in re.findall(
                r'as \[(\w+)\] (\w+)', gone.instead
            ):
                self.assertIn(name, declared()[group])


class TestNovasOwn(testtools.TestCase):
    """Check Nova's own filters and weighers as if they were plugins."""

    def test_findings(self):
        """Find only the weigher that queries a database for each host."""
        reader = Reader(Finder())
        paths = [
            f'nova.scheduler.filters.{known.module}.{name}'
            for name, known in plugins_and_options.FILTERS.items()
        ] + [
            f'nova.scheduler.weights.{module}.{name}'
            for name, module in plugins_and_options.WEIGHERS.items()
        ]
        nowhere = sources.Sources('packages', Configuration([]))
        subject = Subject(nowhere, reader)
        line = Value('', Location('nova.conf', 1))
        subject.plugins = [
            ConfiguredPlugin(line, f'own.{path}', reader.read_class(path))
            for path in paths
        ]
        findings = {
            (finding.id, finding.file.rpartition('/')[2])
            for check in checks.CHECKS for finding in check.run(subject)
        }
        self.assertEqual({('NX515', 'image_props.py')}, findings)
