"""Rules that are checked before and after a change."""

from tests.playbooks import base
from tests.playbooks.test_configure import FILE

#: Stands in for "nova-ext check", which needs a cloud: it notes its words and
#: fails where the rules say so; "after" means in files that were written.
CHECK = """\
#!/bin/sh
host=$(cd "$(dirname "$0")/.." && pwd)
[ "$1" = check ] || exec "$host/bin/env/nova-ext" "$@"
echo "$OS_CLOUD $OS_CLIENT_CONFIG_FILE $*" >>"$host/rules"
case "$(cat "$2") $*" in
    *"fail before"*) ;;
    *"fail after"*conf.d/zz-nova-ext.conf*) ;;
    *) exit 0 ;;
esac
echo "1 of 2 rules hold"
exit 1
"""


class RulesTest(base.PlaybookTestCase):
    """Change two schedulers."""

    names = ('one', 'two')

    def setUp(self):
        """Have the stand-in check, and write a file of rules."""
        super().setUp()
        for host in self.names:
            program = self.site / host / 'bin/nova-ext'
            program.unlink()
            program.write_text(CHECK)
            program.chmod(0o755)
        self.rules = self.site / 'rules.yaml'
        self.variables['nova_ext_rules'] = str(self.rules)

    def checked(self, host):
        """Return the words of each check on a host."""
        return (self.read(host, 'rules') or '').splitlines()

    def test_hold(self):
        """They are checked with the rendered files, then the written ones."""
        self.rules.write_text('rules: hold')
        self.play('configure')
        for host in self.names:
            before, after = self.checked(host)
            self.assertRegex(
                before, r'^admin /etc/openstack/clouds.yaml check '
                r'\S+/rules.yaml .*--config-file=\S*nova-ext-\S+/nova.conf',
            )
            written = str(self.site / host / FILE)
            self.assertNotIn(written, before)
            self.assertIn(f'--config-file={written}', after)
        # Nothing changes: nothing is checked after it.
        self.play('configure')
        self.assertEqual(3, len(self.checked('one')))

    def test_fail_before(self):
        """Nothing is written or restarted."""
        self.rules.write_text('rules: fail before')
        failed = self.play('configure', status=2)
        self.assertIn('1 of 2 rules hold', failed.output)
        self.assertEqual([], self.restarts())
        for host in self.names:
            self.assertIsNone(self.read(host, FILE))

    def test_fail_after(self):
        """The host goes back, and no other is changed."""
        self.rules.write_text('rules: fail after')
        failed = self.play('configure', status=2)
        self.assertIn('1 of 2 rules hold', failed.output)
        self.assertIn('two: untouched', failed.output)
        self.assertEqual(['restart one'] * 2, self.restarts())
        self.assertIsNone(self.read('one', FILE))

    def test_none(self):
        """Without a file nothing is checked."""
        self.play('configure', nova_ext_rules='')
        self.assertEqual([], self.checked('one'))
