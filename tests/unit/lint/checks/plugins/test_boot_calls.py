"""Test calls that a plugin makes for every host."""

from tests.unit.lint.checks.plugins import base


class TestLazyLoads(base.PluginTestCase):
    """Test what is read of the servers on a host."""

    def test_loads(self):
        """Report each way to read an attribute of a server."""
        for line in (
            'return [i.flavor for i in host_state.instances.values()]',
            'return [i.host for u, i in host_state.instances.items()]',
            'return [i["user_id"] for i in six.itervalues('
            'host_state.instances)]',
            'return host_state.instances["u"].metadata',
            'return sum(i.get("vcpus") for i in list('
            'host_state.instances.values()))',
        ):
            fixes = self.lint_filter(line, head=['import six'])
            self.assertEqual(['NX515 7'], list(fixes), line)

    def test_known(self):
        """Accept UUIDs, and what no query brings."""
        for line in (
            'return len(host_state.instances)',
            'return [i.uuid for i in host_state.instances.values()]',
            'return [u.upper() for u in host_state.instances]',
            'return "u" in host_state.instances.keys()',
        ):
            self.assertEqual({}, self.lint_filter(line), line)


class TestCalls(base.PluginTestCase):
    """Test HTTP behind names of the module and behind other modules."""

    def test_client(self):
        """Report a client of the module, of the class and of an object."""
        head = ['import requests', 'HTTP = requests.Session()']
        self.assertEqual(['NX515 8'], list(self.lint_filter(
            'return HTTP.get(host_state.host).ok', head=head
        )))
        self.assertEqual(['NX515 6'], list(self.lint(
            'import requests', 'from nova.scheduler import filters',
            'class MineFilter(filters.BaseHostFilter):',
            '    http = requests.Session()',
            '    def host_passes(self, host_state, spec_obj):',
            '        return self.http.get("x").ok',
        )))
        self.assertEqual(['NX515 7'], list(self.lint(
            'import requests', 'from nova.scheduler import filters',
            'class MineFilter(filters.BaseHostFilter):',
            '    def __init__(self, http=None):',
            '        self.http = http or requests.Session()',
            '    def host_passes(self, host_state, spec_obj):',
            '        return self.http.get("x").ok',
        )))

    def test_local(self):
        """Accept a method of an answer, whose name is the function's own."""
        self.assertEqual(['NX515 7'], list(self.lint_filter(
            'answer = requests.get("x")', 'return answer.json()',
            head=['import requests'],
        )))

    def test_global(self):
        """Report a client that a function creates for the module."""
        self.assertIn('NX515 11', self.lint_filter(
            'return HTTP.get("x").ok', head=[
                'import requests', 'HTTP = None', 'def start():',
                '    global HTTP', '    HTTP = requests.Session()',
            ],
        ))

    def test_helpers(self):
        """Follow functions and classes of the plugin's own modules."""
        self.write('pack/__init__.py', '')
        path = self.write('pack/cmdb.py', '\n'.join([
            'import functools', 'import requests', 'from . import deep',
            'def ask(host): return requests.get(host)', '@functools.cache',
            'def ask_once(host): return requests.get(host)',
            'class Client:', '    def find(self, host):',
            '        return deep.post(host)', 'CLIENT = Client()',
        ]))
        deep = self.write('pack/deep.py', '\n'.join([
            'import requests', 'HTTP = requests.Session()',
            'def post(host): return HTTP.post(host)',
        ]))
        for line, expected in (
            ('cmdb.ask(1)', (path, 4)), ('ask(1)', (path, 4)),
            ('cmdb.ask_once(1)', None), ('cmdb.CLIENT.find(1)', (deep, 3)),
            ('self.client.find(1)', (deep, 3)),
        ):
            self.write('pack/mine.py', '\n'.join([
                'from nova.scheduler import filters', 'from pack import cmdb',
                'from pack.cmdb import ask',
                'class MineFilter(filters.BaseHostFilter):',
                '    hints = ()',
                '    def __init__(self): self.client = cmdb.Client()',
                '    def host_passes(self, host_state, spec_obj):',
                f'        return {line}',
            ]))
            report = self.report(
                '[filter_scheduler]\n'
                'available_filters = nova.scheduler.filters.all_filters\n'
                'available_filters = pack.mine.MineFilter\n'
                'enabled_filters = ComputeFilter,MineFilter\n'
            )
            self.assertEqual(
                [('NX515', *expected)] if expected else [],
                [(one.id, one.file, one.line) for one in report.findings],
                line,
            )
