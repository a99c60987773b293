"""Become a program of nova-ext that runs where a zone has a child zone.

It reads the nova.conf of the lab.
"""

from collections.abc import Callable

from nova_ext.lab.nova import program
from nova_ext.lab.process import databases
from nova_ext.lab.process.process import Arguments, Stop
from nova_ext.lab.state.lab_state import State


def has_child(state: State) -> bool:
    """Say whether a lab is a zone with a child zone."""
    return state.zone is not None and state.zone.child is not None


def make_start(name: str) -> Callable[[Arguments, State], Stop]:
    """Return what starts a program.

    :param name: of its console script.
    """
    def start(args: Arguments, state: State) -> Stop:
        program.wait_for(args, {
            'its database': lambda: databases.is_prepared(
                args.lab, databases.NOVA_EXT
            ),
        })
        # It says nothing itself.
        args.reporter.report('running', ready=True)
        program.become(args, name)

    return start
