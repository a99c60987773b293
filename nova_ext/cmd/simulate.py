"""nova-ext simulate: where a server would go, beside a stock scheduler."""

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from nova_ext.cli import boot, server_name
from nova_ext.cli.as_created import Simulating
from nova_ext.cmd import arguments
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.explanation import serialized
from nova_ext.core.explanation.text_format import REASON, clean
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.record import location, reader

#: Hosts of the ranking that are told.
RANKED = 1000


class Simulate(Simulating):
    """Say where a server would go, in place of a stock nova-scheduler.

    Takes the scheduling options of "openstack server create", and asks the
    databases and the placement that nova-scheduler's configuration names. It
    does nothing. Where nova-ext-scheduler decides, "openstack scheduler
    simulate" asks that one.
    """

    def get_parser(self, prog_name: str) -> argparse.ArgumentParser:
        """The configuration besides."""
        parser = super().get_parser(prog_name)
        arguments.add_configuration(parser)
        return parser

    def take_action(
        self, parsed_args: argparse.Namespace
    ) -> tuple[Sequence[str], Iterable[Any]]:
        """Decide, and explain the decision."""
        configuration = parsed_args.config_file, parsed_args.config_dir
        before = parsed_args.instead_of and reader.find(
            location.path(*configuration),
            server_name.identify(parsed_args.instead_of),
        ).decisions[0]
        request, caller, notes = _asked(parsed_args)
        # It takes two seconds to import, and needs Nova.
        from nova_ext.scheduler.simulate import offline_simulation

        decision = offline_simulation.simulate(
            *configuration, caller, request,
            Changes(parsed_args.try_filter), RANKED,
        )
        return self.simulated(
            serialized.plain(decision), decision, before, notes,
            weights=parsed_args.weights,
        )


def _asked(
    parsed_args: argparse.Namespace
) -> tuple[BootRequest, dict[str, Any], list[str]]:
    """The request, who makes it, and what the cloud of OS_CLOUD did not tell.

    :raises NovaExtError: for a flavor or an image that is not there, or a
        cloud that does not answer.
    """
    # It takes two seconds to import.
    import openstack

    try:
        cloud: Any = openstack.connect()
        asked, notes = boot.request(cloud, parsed_args)
        access = cloud.session.auth.get_access(cloud.session)
    except NovaExtError:
        raise
    except Exception as error:
        why = clean(str(error) or type(error).__name__, REASON)
        raise NovaExtError(
            f'the cloud can\'t be asked: {why}; OS_CLOUD names it'
        ) from error
    who = {'user_id': access.user_id, 'project_id': access.project_id}
    return (
        BootRequest.from_dict({**asked, **who, 'count': parsed_args.max}),
        {**who, 'roles': list(access.role_names)},
        notes,
    )
