"""nova-ext lab demo."""

import argparse

from nova_ext.lab.cli import base, next_steps


class Demo(base.NamedCommand):
    """Boot servers and show that our filter and driver placed them.

    "demo why" shows, beside a stock scheduler, why a server found no host
    and what would have let it. Exit status 1 if any of it did not come out
    as it should.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Declare the arguments."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'story', nargs='?', choices=('why',),
            help='why: needs a lab of Nova\'s own scheduler, such as '
                 '"nova-ext lab up --stock --computes 100" makes',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Run the demonstration in a running lab."""
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.demo import demo, why
        from nova_ext.lab.lifecycle import running, temporary_settings
        from nova_ext.lab.state import lab_state

        there = running.required(parsed_args.name)
        state = lab_state.load(there)
        if parsed_args.story:
            told = why.Why(there, state, self.app.stdout).run()
            return self._ended(there.name, told)
        demo.require_hosts(there, state)
        progress = Progress()
        with temporary_settings.restored(there, [demo.DRIVER], progress):
            if not state.stock_schedulers:
                wish = {demo.DRIVER: [demo.IP_SCHEDULER]}
                temporary_settings.settings(there, wish, progress)
            came_true = demo.Demo(
                there, lab_state.load(there), self.app.stdout
            ).run()
        return self._ended(there.name, came_true)

    def _ended(self, name: str, came_true: bool) -> int:
        self.app.stdout.write(
            '\nAll of it is so. Next:\n\n'
            f'  {next_steps.command(name, "run")} -- openstack server list '
            '--long\n'
            if came_true else '\nNot all of it is so: see NO above.\n'
        )
        return 0 if came_true else 1
