"""Run nova-ext-agent."""

from pathlib import Path

import fixtures

from tests.unit.cmd import processes


class AgentTest(processes.ProcessTestCase):
    """Run it as a process, on a bus without schedulers."""

    module = 'nova_ext.cmd.agent'

    def configure(self, *lines):
        """Return the words that name a file of these lines."""
        folder = Path(self.useFixture(fixtures.TempDir()).path)
        conf = folder / 'nova.conf'
        conf.write_text('\n'.join((
            '[DEFAULT]', 'host = cmp-1', 'transport_url = fake:/', *lines
        )))
        return '--config-file', str(conf)

    def test_end(self):
        """A signal ends it at once, while it waits for an answer."""
        with self.started(*self.configure()) as process:
            self.assertEqual(
                'INFO Stats of cmp-1 are pushed\n', process.stderr.readline()
            )
            self.end(process)

    def test_wrong(self):
        """One line says what is wrong, and where."""
        with self.started(*self.configure(
            '[nova_ext_agent]', 'collectors = Laod'
        )) as process:
            self.assertEqual(
                'nova-ext-agent: [nova_ext_agent] collectors = Laod: no such '
                'collector; ', process.communicate()[1].partition('avail')[0],
            )
            self.assertEqual(1, process.returncode)
