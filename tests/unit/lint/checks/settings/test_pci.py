"""Test the check of PCI devices and aliases against Nova's own."""

import json

import fixtures
import nova.conf
from nova import exception
from nova.pci import request, whitelist

from tests.unit.lint import base, test_broken

SPECS = (
    '{"vendor_id": "10de", "product_id": "1db4"}',
    '[{"vendor_id": "*"}, {"address": "0000:0a:00.1"}]',
    '{"address": ":0a:00.", "physical_network": "physnet1"}',
    '{"address": {"bus": "0[ab]", "function": "[0-3]"}}',
    '{"vendor_id": "10de", "managed": "no", "live_migratable": "true"}',
    '{}',
    '{"vendor_id": "10de",}',
    "{'vendor_id': '10de'}",
    '{"vendor_id": "10de" "product_id": "1db4"}',
    '{"vendor_id": 10}',
    '{"product_id": "12345"}',
    '{"product_id": "gpu1"}',
    '{"address": "0:0:0:0:0.1"}',
    '{"address": "0000:0a:20.1"}',
    '{"address": "0000:0a:00.8"}',
    '{"address": {"bus": "["}}',
    '{"address": 7}',
    '{"address": "0000:0a:00.1", "devname": "eth0"}',
    '{"managed": "maybe"}',
    '{"address": "0000:0a:00.1", "one_time_use": "yes"}',
    '{"address": "0000:0a:00.1", "one_time_use": "no"}',
    '"10de"',
    '["10de"]',
)
ALIASES = (
    '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4"}',
    '{"name": "gpu", "vendor_id": "10DE", "product_id": "1db4", '
    '"device_type": "type-PF", "numa_policy": "socket", '
    '"capability_type": "pci", "live_migratable": "yes"}',
    '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4",}',
    "{'name': 'gpu', 'vendor_id': '10de', 'product_id': '1db4'}",
    '{"name": "gpu", "vendor_id": "10de"}',
    '{"name": "gpu", "resource_class": "CUSTOM_GPU"}',
    '{"vendor_id": "10de", "product_id": "1db4"}',
    '{"name": "", "vendor_id": "10de", "product_id": "1db4"}',
    '{"name": "gpu", "vendorid": "10de", "product_id": "1db4"}',
    '{"name": "gpu", "vendor_id": "10de", "product_id": 1111}',
    '{"name": "gpu", "vendor_id": "0x10", "product_id": "1db4"}',
    '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4", '
    '"device_type": "PF"}',
    '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4", '
    '"numa_policy": "strict"}',
    '[{"name": "gpu", "vendor_id": "10de", "product_id": "1db4"}]',
    '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4", '
    '"live_migratable": "maybe"}',
    '{"name": "gpu", "vendor_id": "10de", "product_id": "1db4", '
    '"live_migratable": "NO"}',
)
#: What two aliases of one name have beside it.
TWICE = (
    ({}, {}),
    ({'device_type': 'type-VF'}, {}),
    ({'device_type': 'type-VF'}, {'device_type': 'type-PF'}),
    ({'device_type': 'type-VF'}, {'device_type': 'type-VF'}),
    ({'device_type': 'type-VF', 'numa_policy': 'legacy'},
     {'device_type': 'type-VF'}),
    ({'device_type': 'type-VF', 'numa_policy': 'socket'},
     {'device_type': 'type-VF'}),
)


class PciTest(base.LintTestCase):
    """Compare verdicts, and read what the findings say."""

    def lint(
        self, option, text, group='pci', more='', kind='NX407', **how
    ):
        """Return the findings of an option."""
        return [
            one for one in
            self.report(
                f'{more}[{group}]\n{option} = {text}\n', **how
            ).findings if one.id == kind
        ]

    def lint_with_nova(self, option, text, **how):
        """Lint with the Nova that is installed, or one in the folder."""
        self.useFixture(fixtures.MonkeyPatch(
            'nova_ext.nova_releases.declared_options.query_nova',
            test_broken.query_nova,
        ))
        return self.lint(option, text, ask_nova=True, **how)

    def test_devices(self):
        """Refuse what nova-scheduler refuses, and nothing else."""
        accepted = [self.does_nova_accept(text) for text in SPECS]
        self.assertEqual({True, False}, {*accepted})
        # A line each, below that of the group.
        found = self.lint_with_nova(
            'device_spec', '\ndevice_spec = '.join(SPECS)
        )
        self.assertEqual(
            [text for text, is_good in zip(SPECS, accepted, strict=True)
             if not is_good],
            [SPECS[line - 2] for line in sorted({one.line for one in found})],
        )

    def does_nova_accept(self, text):
        """Say whether the installed Nova accepts a device_spec."""
        try:
            whitelist.Whitelist([text])
        except Exception:
            return False
        return True

    def test_one_time_use(self):
        """Refuse a wrong one_time_use where Nova reads it, or is absent."""
        self.write('nova/__init__.py', '')
        devspec = 'nova/pci/devspec.py'
        for value in 'yes', 'maybe':
            text = json.dumps({'vendor_id': '10de', 'one_time_use': value})
            self.assertEqual(1, len(self.lint('device_spec', text)))
            self.write(devspec, 'NAME = "one_time_use"')
            for kind, count in (('NX407', 1), ('NX408', 0)):
                self.assertEqual(count, len(
                    self.lint_with_nova('device_spec', text, kind=kind)
                ))
            # As of Nova 31.
            self.write(devspec, '')
            self.assertEqual([], self.lint_with_nova('device_spec', text))
            finding, = self.lint_with_nova('device_spec', text, kind='NX408')
            self.assertIn('takes "one_time_use" for a tag', finding.what)
            self.assertIn('remove it, or', finding.fix)

    def test_aliases(self):
        """Refuse what nova-api refuses, by either way to name devices."""
        for in_placement in (False, True):
            for text in ALIASES:
                accepted = self.ask_nova([text], in_placement)
                self.assertEqual(accepted, not self.lint(
                    'alias', text, more='[filter_scheduler]\n'
                    f'pci_in_placement = {in_placement}\n',
                ), text)

    def test_alias_twice(self):
        """Refuse two aliases of a name where nova-api does."""
        verdicts = set()
        for in_placement in (False, True):
            for parts in TWICE:
                texts = [json.dumps({
                    'name': 'gpu', 'vendor_id': '10de',
                    'product_id': f'1db{number}', **part,
                }) for number, part in enumerate(parts)]
                accepted = self.ask_nova(texts, in_placement)
                verdicts.add(accepted)
                self.assertEqual(0 if accepted else 1, len(self.lint(
                    'alias', '\nalias = '.join(texts),
                    more='[filter_scheduler]\n'
                    f'pci_in_placement = {in_placement}\n',
                )), (texts, in_placement))
        self.assertEqual({True, False}, verdicts)

    def test_reported(self):
        """Accept one_time_use where placement has the devices."""
        self.assertEqual([], self.lint(
            'device_spec', '{"devname": "x", "one_time_use": "yes"}',
            more='[pci]\nreport_in_placement = true\n',
        ))

    def ask_nova(self, aliases, in_placement):
        """Say whether Nova accepts aliases."""
        conf = nova.conf.CONF
        conf.set_override('alias', aliases, 'pci')
        self.addCleanup(conf.clear_override, 'alias', 'pci')
        conf.set_override('pci_in_placement', in_placement, 'filter_scheduler')
        self.addCleanup(
            conf.clear_override, 'pci_in_placement', 'filter_scheduler'
        )
        request.get_alias_from_config.cache_clear()
        self.addCleanup(request.get_alias_from_config.cache_clear)
        try:
            request.get_alias_from_config()
        except exception.PciInvalidAlias:
            return False
        return True

    def test_fix(self):
        """Write JSON for a dictionary of Python, which Nova accepts then."""
        for text in SPECS:
            found = self.lint('device_spec', text)
            if not found or 'write device_spec' not in found[0].fix:
                continue
            whitelist.Whitelist([found[0].fix.partition(' = ')[2]])
        finding, = self.lint('alias', "{'name': 'a', 'vendor_id': '10de'}")[1:]
        self.assertIn('lacks vendor_id or product_id', finding.what)

    def test_near_value(self):
        """Name the value that a misspelt one means."""
        finding, = self.lint(
            'alias', '{"name": "a", "vendor_id": "10de", "product_id": '
            '"1db4", "numa_policy": "prefered"}',
        )
        self.assertEqual('write "preferred"', finding.fix)
        finding, = self.lint('alias', '{"vendor_id": "10de"}')
        self.assertNotIn('JSON', finding.fix)

    def test_misspelt_key(self):
        """Warn of a key that Nova takes for a tag, and so matches all."""
        device = {'vendor_id': '8086', 'product_id': '1572',
                  'address': '0000:0a:00.1'}
        for key, meant in (
            ('vendorid', 'vendor_id'), ('Vendor_ID', 'vendor_id'),
            ('product-id', 'product_id'), ('adress', 'address'),
            ('physical_netwrok', 'physical_network'), ('trait', 'traits'),
            ('vendor', 'vendor_id'), ('physnet', 'physical_network'),
        ):
            text = json.dumps({key: '10de'})
            spec = whitelist.Whitelist([text]).specs[0]
            self.assertTrue(spec.match(device), text)
            for written in text, f'[{text}]':
                finding, = self.lint('device_spec', written, kind='NX408')
                self.assertEqual(f'write "{meant}"', finding.fix)
                self.assertIn(f'"{key}"', finding.what)
        for key in 'rack', 'vendor_id', 'physical_network':
            self.assertEqual([], self.lint(
                'device_spec', json.dumps({key: '10de'}), kind='NX408'
            ))

    def test_place(self):
        """Name line and column in the file, also of a later line."""
        finding, = self.lint('device_spec', '{"vendor_id": "10de",\n   oh}')
        self.assertIn('on line 3, column 4', finding.what)
        self.assertEqual(2, finding.line)
        self.assertEqual('', finding.fix.partition('write a JSON')[0])

    def test_old_names(self):
        """Read the names of old releases, which Nova still reads."""
        for group, option in (
            ('pci', 'passthrough_whitelist'),
            ('DEFAULT', 'pci_passthrough_whitelist'),
            ('DEFAULT', 'pci_alias'),
        ):
            self.assertEqual(1, len(self.lint(option, '{"', group)), option)
            self.assertEqual(
                [], self.lint(option, '{{ pci | tojson }}', group)
            )

    def test_several(self):
        """Check each line of several."""
        good = json.dumps({'vendor_id': '10de'})
        self.assertEqual(1, len(self.lint(
            'device_spec', f'{good}\ndevice_spec = {{}}}}'
        )))
