"""Test attributes of host states and request specs."""

import re

import nova.objects
import testtools
from nova.objects import flavor, image_meta, instance_group, request_spec
from nova.scheduler import host_manager

from nova_ext.lint.checks.plugins import attributes
from nova_ext.nova_releases import scheduler_objects
from nova_ext.source_code.module_finder import Finder
from nova_ext.source_code.object_uses import HOST, REQUEST
from nova_ext.source_code.plugin_source import Reader
from tests.unit.lint.checks.plugins import base


class TestAttributes(base.PluginTestCase):
    """Test what is reported and what is not."""

    def test_absent(self):
        """Say what is there in its place."""
        for line, fix in (
            ('return host_state.free_ram_gb > 1',
             'write free_ram_mb / 1024'),
            ('return host_state.traits', 'only placement knows traits'),
            ('return host_state.capabilities', 'stats, supported_instances'),
            ('return spec_obj.instance_type', 'write spec_obj.flavor'),
            ('return spec_obj.context', 'write spec_obj._context'),
            ('return spec_obj.num_instance', 'write spec_obj.num_instances'),
            ('return spec_obj.colour', 'doc/source/user/porting.rst'),
            ('return self._find(host_state, host=spec_obj).traits', None),
            ('return hasattr(spec_obj, "x") and host_state.y', 'read what'),
        ):
            fixes = self.lint_filter(line)
            self.assertEqual(
                [] if fix is None else ['NX518 6'], list(fixes), line
            )
            if fix:
                self.assertIn(fix, fixes['NX518 6'], line)

    def test_parts(self):
        """Look at the image, its properties, the flavor and the group."""
        for lines, fix in (
            (['return spec_obj.image.properties.get("rack")'],
             'require a trait of the host in the image'),
            (['props = spec_obj.image.properties',
              'return props.get("architecture")'], "read 'hw_architecture'"),
            (['return spec_obj.image.properties.get("hypervisor_type")'],
             "read 'img_hv_type'"),
            (['return spec_obj.image.properties["hw_vm_mode"]'],
             "write spec_obj.image.properties.get('hw_vm_mode')"),
            (['return spec_obj.image.get("id")'], 'write spec_obj.image.id'),
            (['return spec_obj.flavor.ram > 1'],
             'write spec_obj.flavor.memory_mb'),
            (['return spec_obj.instance_group.host'],
             'write spec_obj.instance_group.hosts'),
        ):
            fixes = self.lint_filter(*lines)
            self.assertEqual(1, len(fixes), lines)
            self.assertIn(fix, next(iter(fixes.values())), lines)
        for line in (
            'return spec_obj.image.properties.get("hw_architecture")',
            'return spec_obj.flavor["extra_specs"].get("x")',
            'return spec_obj.flavor.get("extra_specs", {}).get("x")',
            'return spec_obj.instance_group.policy',
            'return "x" in spec_obj.image.properties',
        ):
            self.assertEqual({}, self.lint_filter(line), line)

    def test_other_module(self):
        """Follow objects into a helper of another module."""
        self.write('asks/__init__.py', '')
        path = self.write(
            'asks/places.py', 'def look(host, flavor):\n'
            '    host.mark = 1\n    return host.rack, flavor.ram\n',
        )
        self.lint_filter(
            'return places.look(host_state, flavor=spec_obj.flavor)',
            head=('from asks import places',),
        )
        report = self.report(
            '[filter_scheduler]\n'
            'available_filters = nova.scheduler.filters.all_filters\n'
            'available_filters = mine.MineFilter\n'
            'enabled_filters = ComputeFilter,MineFilter\n'
        )
        self.assertEqual([
            ('NX520', 2, 'look (called by MineFilter) changes mark of the '
             'host state'),
            ('NX518', 3, 'look (called by MineFilter): no Flavor has ram'),
            ('NX518', 3, 'look (called by MineFilter): no HostState has rack'),
        ], sorted(
            ((one.id, one.line, one.what) for one in report.findings
             if one.file == path), key=lambda one: one[1:],
        ))

    def test_old_multiplier(self):
        """Rename the multiplier of Juno, a method or a value."""
        head = (
            'from nova.scheduler import weights',
            'class PowerWeigher(weights.BaseHostWeigher):',
            '    def _weigh_object(self, host_state, request_spec):',
            '        return 1.0',
        )
        for lines, fix in (
            (['    _weight_multiplier = 2.0'],
             'write def weight_multiplier(self, host_state): return 2.0'),
            (['    def _weight_multiplier(self):', '        return 2.0'],
             'write def weight_multiplier(self, host_state)'),
        ):
            self.assertEqual({'NX522 5': fix}, self.lint(*head, *lines))
        self.assertEqual({}, self.lint(
            *head, '    _weight_multiplier = 2.0',
            '    def weight_multiplier(self, host_state):',
            '        return self._weight_multiplier',
        ))

    def test_base_class(self):
        """Look at what a subclass overrides, and at each line once."""
        self.assertEqual(['NX518 7', 'NX518 9'], list(self.lint(
            'from nova.scheduler import filters', '', '',
            'class FirstFilter(filters.BaseHostFilter):',
            '    def host_passes(self, host_state, spec_obj):',
            '        self.look(host_state)',
            '        return host_state.traits',
            '    def look(self, host):',
            '        return host.colour', '', '',
            'class SecondFilter(FirstFilter):',
            '    def host_passes(self, host_state, spec_obj):',
            '        return self.look(host_state)',
        )))
        report = self.report(
            '[filter_scheduler]\n'
            'available_filters = nova.scheduler.filters.all_filters\n'
            'available_filters = mine.FirstFilter\n'
            'available_filters = mine.SecondFilter\n'
            'enabled_filters = ComputeFilter,FirstFilter,SecondFilter\n'
        )
        self.assertEqual(
            [7, 9], [one.line for one in report.findings]
        )

    def test_present(self):
        """Accept what update() sets, what is asked for, and other names."""
        for lines in (
            ['return host_state.service and host_state.stats.get("x")'],
            ['return spec_obj.image.name and spec_obj.obj_what_changed()'],
            ['return hasattr(host_state, "traits") and host_state.traits'],
            ['x = getattr(host_state, "traits", ())',
             'return host_state.traits if x else True'],
            ['if "x" in spec_obj:', '    return spec_obj.x', 'return True'],
            ['try:', '    return host_state.traits',
             'except AttributeError:', '    return True'],
            ['host_state = self.wrap(host_state)', 'return host_state.any'],
            ['for spec_obj in self.others:', '    spec_obj.any()',
             'return True'],
        ):
            self.assertEqual({}, self.lint_filter(*lines), lines)

    def test_followed(self):
        """Follow a host through names, loops, methods and functions."""
        self.assertEqual(
            ['NX518 2', 'NX518 9', 'NX518 10', 'NX518 12', 'NX518 14'],
            sorted(self.lint(
                'def ask(host):', '    return host.a', '',
                'from nova.scheduler import filters, weights', '',
                'class MineFilter(filters.BaseHostFilter):',
                '    def filter_all(self, filter_obj_list, spec_obj):',
                '        for one in list(filter_obj_list):',
                '            one.b',
                '        ok = [h for h in filter_obj_list if h.c]',
                '        other = filter_obj_list[0]',
                '        other.e; ask(other)', '        return ok',
                '    def host_passes(self, h, s): return self._x(s, q=h.d)',
                '    def _x(self, s, q): return q',
            ), key=lambda it: int(it.split()[1])),
        )
        self.assertEqual(['NX518 5'], list(self.lint(
            'from nova.scheduler import weights',
            'class MineWeigher(weights.BaseHostWeigher):',
            '    def weigh_objects(self, weighed_obj_list, properties):',
            '        self.most = [',
            '            w.obj.ram for w in weighed_obj_list]',
            '        return []',
            '    def _weigh_object(self, host_state, request_spec):',
            '        return 1.0',
        )))


class TestTables(testtools.TestCase):
    """Test the tables against the Nova that is installed."""

    def test_nova(self):
        """Have each attribute, by table and by Nova's source."""
        nova.objects.register_all()
        host = host_manager.HostState('h', 'n', None)
        attributes_of_host = {
            name for name in dir(host) if not name.startswith('_')
        } | {'service', 'stats'}
        self.assertEqual(attributes_of_host, scheduler_objects.HOST_STATE)
        of_spec = {
            name for name in dir(request_spec.RequestSpec)
            if not name.startswith(('_', 'obj_')) and not name.isupper()
        }
        self.assertEqual(of_spec, scheduler_objects.REQUEST_SPEC)
        for known in (
            attributes.list_attributes(Reader(Finder())),
            attributes.list_attributes(Reader(Finder(use_nova=False))),
        ):
            self.assertLessEqual(attributes_of_host, known[HOST])
            self.assertLessEqual(of_spec, known[REQUEST])
            for cls in (
                image_meta.ImageMeta, image_meta.ImageMetaProps,
                flavor.Flavor, instance_group.InstanceGroup,
            ):
                names = {
                    name for name in dir(cls)
                    if not name.startswith(('_', 'obj_'))
                    and not name.isupper()
                }
                self.assertEqual(set(), names - known[cls.__name__])
            self.assertNotIn('traits', known[HOST])
            self.assertNotIn('flavours', known[REQUEST])

    def test_instead(self):
        """Name only attributes that are there."""
        known = scheduler_objects.REQUEST_SPEC
        table = scheduler_objects.REQUEST_SPEC_INSTEAD
        self.assertEqual({'scheduler_hints'}, set(table) & known)
        for text in table.values():
            for name in re.findall(r'\{\}\.(\w+)', text):
                self.assertIn(name, {*known, '_context'})
        for text in scheduler_objects.HOST_STATE_INSTEAD.values():
            for name in re.findall(r'write (\w+)', text):
                self.assertIn(name, scheduler_objects.HOST_STATE)
        self.assertEqual(
            set(), set(scheduler_objects.HOST_STATE_INSTEAD)
            & scheduler_objects.HOST_STATE,
        )
