"""Provide ``nova-ext lab demo``."""

import argparse
from typing import Any

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
        from nova_ext.lab.lifecycle import status
        from nova_ext.lab.state import lock

        lab = status.find_lab(parsed_args.name)
        with lock.interrupt_on_signals():
            right = self._run(lab, parsed_args.story)
        self.app.stdout.write(
            '\nAll of it is so.\n'
            if right else '\nNot all of it is so: see NO above.\n'
        )
        return 0 if right else 1

    def _run(self, lab: Any, name: str | None) -> bool:
        """Run a story, and say whether every result is right."""
        from nova_ext.core.base.progress import Progress
        from nova_ext.lab.demo import demo, why, zones
        from nova_ext.lab.lifecycle.up import restored_settings
        from nova_ext.lab.state import lab_state

        state = lab_state.load(lab)
        if name:
            stories: dict[str, type[why.Why | zones.Zones]] = {
                'why': why.Why, 'zones': zones.Zones,
            }
            return stories[name](lab, state, self.app.stdout).run()
        demo.require_hosts(lab, state)
        with restored_settings(lab, [demo.DRIVER], Progress()) as change:
            if not state.stock_schedulers:
                change({demo.DRIVER: [demo.IP_SCHEDULER]})
            return demo.Demo(
                lab, lab_state.load(lab), self.app.stdout
            ).run()
