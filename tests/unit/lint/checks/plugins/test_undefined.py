"""Test names that nothing defines."""

from tests.unit.lint.checks.plugins import base


class TestUndefined(base.PluginTestCase):
    """Test names of Python 2, and those that nobody imports."""

    def test_python2(self):
        """Say what Python 3 has in place of each."""
        for line, fix in (
            ('return unicode(host_state.host)', 'write str'),
            ('return isinstance(1, basestring)', 'write str'),
            ('return xrange(2)', 'write range'),
            ('return {}.has_key(1)', 'write KEY in DICTIONARY'),
            ('return {}.iteritems()', 'write items'),
            ('return reduce(max, [1])', 'from functools import reduce'),
            ('return _("no")', 'write from nova.i18n import _'),
            ('return os.path', 'write import os'),
            ('return CONF.x', 'nova.conf.CONF'),
            ('return [x for x in zork]', 'import or define it'),
        ):
            fixes = self.lint_filter(line)
            self.assertEqual(['NX519 6'], list(fixes), line)
            self.assertIn(fix, fixes['NX519 6'], line)

    def test_defined(self):
        """Accept what is bound somewhere, and what is tried first."""
        for line, head in (
            ('return unicode(1)', ['unicode = str']),
            ('return unicode(1)', ['try:', '    unicode', 'except NameError:',
                                   '    unicode = str']),
            ('return six.iteritems({})', ['import six']),
            ('return any(x for x in [1]) and __name__ and _', [
                'from nova.i18n import _']),
            ('return everything', ['from os.path import *']),
            ('return long(1) if six.PY2 else True', ['import six']),
            ('global late; late = 1; return late', []),
            ('return [(y := 1), y] and (lambda z: z)(2)', []),
        ):
            self.assertEqual([], [
                one for one in self.lint_filter(line, head=head)
                if one.startswith('NX519')
            ], line)

    def test_syntax(self):
        """Say what Python 3 writes for a statement of Python 2."""
        for lines, fix in (
            (['print "asked"'], 'write print(…)'),
            (['try:', '    pass', 'except ValueError, error:', '    pass'],
             'write except TYPE as error'),
            (['return ('], 'correct the syntax'),
        ):
            fixes = self.lint_filter(*lines)
            (_, written), = fixes.items()
            self.assertIn(fix, written)

    def test_modules(self):
        """Name what each module became."""
        fixes = self.lint_filter('return True', head=[
            'from nova.openstack.common import jsonutils, log as logging',
            'from nova.openstack.common.gettextutils import _',
            'from nova.openstack.common.processutils import execute',
            'from oslo.config import cfg', 'from nova import flags',
            'import urllib2', 'from nova.i18n import _LW',
            'from nova.openstack.common.gettextutils import _LE',
            'LOG = logging.getLogger(__name__)',
        ], ask_nova=True)
        # What uses a name of such a module is not reported beside it.
        self.assertEqual({'NX501'}, {one.split()[0] for one in fixes})
        self.assertIn('without it', fixes['NX501 9'])
        texts = list(fixes.values())
        for text in (
            'from oslo_log import log', 'from nova.i18n import _',
            'from oslo_concurrency import processutils',
            'from oslo_config import cfg', 'import nova.conf',
            'import urllib.request', 'logs are not translated',
        ):
            self.assertTrue(any(text in fix for fix in texts), (text, texts))
