"""Run nova-ext simulate: say where a stock scheduler would put a server."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.cli import boot, cloud, move, servers
from nova_ext.cli.server_create import SimulationLister
from nova_ext.cmd import arguments, past
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.move_request import MoveRequest
from nova_ext.record import location, reader

#: Hosts of the ranking that are returned.
RANKED = 1000


class Simulate(SimulationLister):
    """Say where a stock nova-scheduler would put a server.

    Takes the options of "openstack server create", and reads the databases
    and the placement that nova-scheduler's configuration names. It changes
    nothing. Where nova-ext-scheduler runs, use "openstack scheduler
    simulate". With --journal it asks no cloud: a server goes where it would
    have gone then.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        parser = super().get_parser(prog_name)
        past.add_options(parser)
        arguments.add_configuration(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        past.check_options(parsed_args)
        if parsed_args.journal:
            decision, notes = past.simulate(parsed_args)
            return self.show_simulation(
                serialized.serialize(decision), decision, None, notes,
                weights=parsed_args.weights,
            )
        configuration = arguments.find_configuration(parsed_args)
        before = parsed_args.instead_of and reader.find(
            location.find_record(*configuration),
            servers.identify(parsed_args.instead_of),
        ).decisions[0]
        simulate = _simulate_boot
        if move.is_move(parsed_args):
            simulate = _simulate_move
        decision, notes = simulate(parsed_args, configuration)
        return self.show_simulation(
            serialized.serialize(decision), decision, before, notes,
            weights=parsed_args.weights,
        )


_Configuration = tuple[Sequence[str], Sequence[str]]


def _simulate_boot(
    parsed_args: argparse.Namespace, configuration: _Configuration
) -> tuple[Decision, list[str]]:
    request, caller, notes = _build_request(parsed_args)
    # It takes two seconds to import, and needs Nova.
    from nova_ext.scheduler.what_if.simulate import offline_simulation

    return offline_simulation.simulate(
        *configuration, caller, request, Changes(parsed_args.try_filter),
        RANKED,
    ), notes


def _simulate_move(
    parsed_args: argparse.Namespace, configuration: _Configuration
) -> tuple[Decision, list[str]]:
    with cloud.connect() as connection:
        request = MoveRequest.from_dict(
            move.build_request(connection, parsed_args)
        )
    from nova_ext.scheduler.what_if.simulate import offline_simulation

    simulated = offline_simulation.simulate_move(
        *configuration, request, Changes(parsed_args.try_filter), RANKED
    )
    return simulated.decision, simulated.notes


def _build_request(
    parsed_args: argparse.Namespace
) -> tuple[BootRequest, dict[str, Any], list[str]]:
    """Return the request, the caller, and notes on what was left out.

    :raises NovaExtError: for a flavor or an image that is not there, or a
        cloud that does not answer.
    """
    with cloud.connect() as connection:
        fields, notes = boot.build_request(connection, parsed_args)
        access = connection.session.auth.get_access(connection.session)
    caller = {'user_id': access.user_id, 'project_id': access.project_id}
    return (
        BootRequest.from_dict({**fields, **caller, 'count': parsed_args.max}),
        {**caller, 'roles': list(access.role_names)},
        notes,
    )
