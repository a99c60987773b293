"""Provide ``nova-ext lab demo``."""

import argparse

from nova_ext.lab.cli import base


class Demo(base.NamedCommand):
    """Boot servers and show that our filter and driver placed them.

    "demo zones" builds servers over the zones of a lab. The exit status is 1
    if a result is not as expected.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        parser.add_argument(
            'story', nargs='?', choices=('zones',),
            help='zones: needs a lab of zones, such as "nova-ext lab up '
                 '--name z --zones 3" creates',
        )
        return parser

    def take_action(self, parsed_args: argparse.Namespace) -> int:
        from nova_ext.lab.demo import placement, zones
        from nova_ext.lab.demo.show import Show
        from nova_ext.lab.lifecycle import status
        from nova_ext.lab.state import lock

        show = Show(status.find_lab(parsed_args.name), self.app.stdout)
        with lock.interrupt_on_signals():
            (zones if parsed_args.story else placement).run(show)
        right = show.end()
        self.app.stdout.write(
            '\nAll results are as expected.\n' if right
            else '\nNot all results are as expected: see NO above.\n'
        )
        return 0 if right else 1
