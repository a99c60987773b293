"""Commands that are typed as ``openstack server create`` is."""

import argparse

from nova_ext.shell import server_create
from nova_ext.shell.explanation import ExplanationLister


class AsCreated(ExplanationLister):
    """Asks about a server that ``server create`` would create."""

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """Its options, and what is to be tried."""
        parser = super().get_parser(prog_name)
        server_create.add(parser)
        parser.add_argument(
            '--try-filter', action='append', metavar='<filter>',
            help='with this filter, and others that are given so, in place '
                 'of those that are enabled; repeat for several',
        )
        return parser
