"""nova-ext explain: why a server is where it is, or nowhere."""

import argparse

from cliff import command

from nova_ext.core import errors


class Explain(command.Command):
    """Say why the scheduler placed a server, or could not."""

    def take_action(self, parsed_args: argparse.Namespace) -> None:
        """Explain one decision."""
        raise errors.NovaExtError('no record to read yet')
