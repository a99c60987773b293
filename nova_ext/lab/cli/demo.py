"""Provide ``nova-ext lab demo``."""

import argparse

from nova_ext.lab.cli import base


class Demo(base.NamedCommand):
    """Boot servers and show that our filter and driver placed them.

    "demo why" shows, with Nova's own scheduler, why no host takes a server
    and what would change that. "demo zones" builds servers over the zones of
    a lab. The exit status is 1 if any result is not the expected one.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Declare the arguments."""
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'story', nargs='?', choices=('why', 'zones'),
            help='why: needs a lab of Nova\'s own scheduler, such as '
                 '"nova-ext lab up --stock --computes 100" makes; zones: '
                 'needs a lab of zones, such as "nova-ext lab up --name z '
                 '--zones 3" makes',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        """Run the demonstration in a running lab."""
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.demo import demo, why, zones
        from nova_ext.lab.lifecycle import status
        from nova_ext.lab.lifecycle.up import restored_settings, up
        from nova_ext.lab.state import lab_state
        from nova_ext.lab.state.desired_state import Changes

        lab = status.find_lab(parsed_args.name)
        state = lab_state.load(lab)
        if parsed_args.story:
            stories: dict[str, type[why.Why | zones.Zones]] = {
                'why': why.Why, 'zones': zones.Zones,
            }
            story = stories[parsed_args.story]
            right = story(lab, state, self.app.stdout).run()
            return self._finish(lab.name, right)
        demo.require_hosts(lab, state)
        progress = Progress()
        with restored_settings(lab, [demo.DRIVER], progress):
            if not state.stock_schedulers:
                up(lab, Changes(
                    settings={demo.DRIVER: [demo.IP_SCHEDULER]}
                ), progress)
            right = demo.Demo(
                lab, lab_state.load(lab), self.app.stdout
            ).run()
        return self._finish(lab.name, right)

    def _finish(self, name: str, right: bool) -> int:
        self.app.stdout.write(
            '\nAll of it is so. Next:\n\n'
            f'  {base.format_command(name, "run")} -- openstack server list '
            '--long\n'
            if right else '\nNot all of it is so: see NO above.\n'
        )
        return 0 if right else 1
