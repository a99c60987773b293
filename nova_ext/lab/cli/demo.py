"""nova-ext lab demo."""

import argparse

from nova_ext.lab.cli import base, hints


class Demo(base.LabCommand):
    """Boot servers and show that our filter and driver placed them.

    Exit status 1 if any of it did not come out as it should.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Declare the arguments."""
        parser = super().get_parser(prog_name)
        base.add_name(parser)
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Run the demonstration in a running lab."""
        from nova_ext.core.progress import Progress
        from nova_ext.lab import changed, demo, running, states

        there = running.required(parsed_args.name)
        state = states.load(there)
        demo.require_hosts(there, state)
        progress = Progress()
        with changed.restored(there, [demo.DRIVER], progress):
            if not state.stock_schedulers:
                wish = {demo.DRIVER: [demo.IP_SCHEDULER]}
                changed.settings(there, wish, progress)
            came_true = demo.Demo(
                there, states.load(there), self.app.stdout
            ).run()
        name = there.name
        self.app.stdout.write(
            '\nAll of it is so. Next:\n\n'
            f'  {hints.command(name, "run")} -- openstack server list '
            '--long\n'
            if came_true else '\nNot all of it is so: see NO above.\n'
        )
        return 0 if came_true else 1
