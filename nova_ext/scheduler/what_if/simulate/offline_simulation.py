"""Simulate a request in a process of its own, without a scheduler.

A stock nova-scheduler answers no simulations. Here its configuration is read:
the same databases, placement, filters and weighers decide. Nothing is served.
"""

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nova import context, objects
from nova.scheduler import host_manager

from nova_ext.conf import config_errors, named_files
from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import Decision
from nova_ext.core.explanation import serialized
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.core.rpc.move_request import MoveRequest, SimulatedMove
from nova_ext.drivers.filter import FilterScheduler
from nova_ext.scheduler.base import nova_configuration, options
from nova_ext.scheduler.cycle.effects import LiveEffects
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.cycle.nova_source import NovaSource
from nova_ext.scheduler.discovery import active_plugins, validation
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.what_if import stored_request
from nova_ext.scheduler.what_if.simulate.simulation_requests import (
    MAX_RANKED,
    SimulationRequests,
)


class _HostManager(host_manager.HostManager):
    """Read the servers of the hosts that a decision needs alone.

    Nova's reads those of the whole cloud in a thread, to know them when
    requests come.
    """

    def _init_instance_info(self, *_: Any) -> None:
        """Read nothing."""


def make_decider() -> NovaDecider:
    """Return what decides as a stock nova-scheduler does.

    :raises ConfigurationError: for a filter or weigher that can't be used.
    """
    validation.validate()
    return NovaDecider(
        _HostManager(), FilterScheduler(nova_facts.get()), NovaSource(),
        LiveEffects(),
    )


def simulate(
    config_files: Sequence[str], config_dirs: Sequence[str],
    caller: dict[str, Any], request: BootRequest, changes: Changes,
    ranked_hosts: int,
) -> Decision:
    """Decide a request as the scheduler would, and do nothing.

    Call one function of this module, once in a process: Nova's configuration
    is global.

    :param config_files: that nova-scheduler is started with, as for
        config_dirs.
    :param caller: ``user_id``, ``project_id`` and ``roles``.
    :raises NovaExtError: for a configuration that can't be used, or a
        request that Nova would refuse.
    """
    with _using_nova(config_files, config_dirs):
        return SimulationRequests(make_decider()).simulate(
            context.RequestContext(**caller), request, changes, ranked_hosts
        )


def simulate_move(
    config_files: Sequence[str], config_dirs: Sequence[str],
    request: MoveRequest, changes: Changes, ranked_hosts: int,
) -> SimulatedMove:
    """Decide where Nova would move a server, as :func:`simulate`."""
    with _using_nova(config_files, config_dirs):
        return SimulationRequests(make_decider()).simulate_move(
            context.get_admin_context(), request, changes, ranked_hosts
        )


class OfflineScheduler(active_plugins.SchedulerPlugins):
    """Answer as a scheduler with a configuration would; see :func:`serve`.

    :param caller: as for :func:`simulate`.
    """

    def __init__(self, caller: dict[str, Any]) -> None:
        self._decider = make_decider()
        self._requests = SimulationRequests(self._decider)
        self._caller = caller
        self.plugins = active_plugins.describe(
            self._decider.host_manager, {}, ()
        )

    def simulate(
        self, request: Mapping[str, Any], changes: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the explanation of a boot.

        :param request: fields of a BootRequest, ``changes`` of Changes.
        """
        with _wording_errors():
            return serialized.serialize(self._requests.simulate(
                context.RequestContext(**self._caller), self._read(request),
                Changes.from_dict(changes), MAX_RANKED,
            ))

    def capacity(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return how many more servers fit, as the API does."""
        with _wording_errors():
            result = self._requests.capacity(
                context.RequestContext(**self._caller), self._read(request),
                Changes(),
            )
        decision, result.decision = result.decision, None
        return {**result.to_dict(), 'decision': (
            decision and serialized.serialize(decision)
        )}

    def _read(self, request: Mapping[str, Any]) -> BootRequest:
        names = ('user_id', 'project_id')
        return BootRequest.from_dict(
            {name: self._caller[name] for name in names} | dict(request)
        )


@contextlib.contextmanager
def serve(
    config_files: Sequence[str], config_dirs: Sequence[str],
    caller: dict[str, Any],
) -> Iterator[OfflineScheduler]:
    """Answer several questions about a configuration.

    The parameters and errors are those of :func:`simulate`.
    """
    with _using_nova(config_files, config_dirs):
        yield OfflineScheduler(caller)


def repeat(
    config_files: Sequence[str], config_dirs: Sequence[str], server: str,
    ignore_hosts: Sequence[str] | None, ranked_hosts: int,
) -> Decision:
    """Decide again what a server was requested with, as :func:`simulate`.

    :param ignore_hosts: see :func:`stored_request.load`.
    """
    admin = context.get_admin_context()
    with _using_nova(config_files, config_dirs):
        return SimulationRequests(make_decider()).decide(
            admin, lambda: stored_request.load(admin, server, ignore_hosts),
            Changes(), ranked_hosts, diagnose=True,
        )


def read_forced(
    config_files: Sequence[str], config_dirs: Sequence[str], server: str
) -> str:
    """Return the host or node to which a server's boot was forced.

    :returns: empty: to none.
    """
    with _using_nova(config_files, config_dirs):
        spec = objects.RequestSpec.get_by_instance_uuid(
            context.get_admin_context(), server
        )
        forced = [*(spec.force_hosts or ()), *(spec.force_nodes or ())]
        return ', '.join(forced)


def read_configuration(
    config_files: Sequence[str], config_dirs: Sequence[str]
) -> None:
    """Read nova-scheduler's configuration; call it once in a process.

    :param config_files: that nova-scheduler is started with, as for
        config_dirs.
    :raises NovaExtError: for a configuration that can't be read, or names no
        database.
    """
    arguments = named_files.list_words(config_files, config_dirs)
    # Nova logs what the decision says, too.
    logging.disable(logging.WARNING)
    try:
        # It sets up the message bus, too, which cells' connections need.
        nova_configuration.read(arguments)
    except config_errors.ERRORS as error:
        raise NovaExtError(
            f'the configuration can\'t be read: '
            f'{config_errors.describe(error)}'
        ) from None
    _check_named()
    objects.register_all()


def _check_named() -> None:
    if not options.CONF.api_database.connection:
        read = ', '.join([
            *options.CONF.config_file, *options.CONF.config_dir
        ]) or 'no file: none is at its default place'
        raise NovaExtError(
            f'[api_database] connection is not set, read from {read}; name '
            f'the configuration of nova-scheduler with --config-file or '
            f'--config-dir'
        )


@contextlib.contextmanager
def _using_nova(
    config_files: Sequence[str], config_dirs: Sequence[str]
) -> Iterator[None]:
    """Configure Nova for a block, and word what it raises.

    :raises NovaExtError: in one line, for any error.
    """
    read_configuration(config_files, config_dirs)
    with _wording_errors():
        yield


@contextlib.contextmanager
def _wording_errors() -> Iterator[None]:
    """Word what Nova raises in a block.

    :raises NovaExtError: in one line, for any error.
    """
    try:
        yield
    except NovaExtError:
        raise
    except Exception as error:
        raise NovaExtError(
            f'Nova\'s databases or placement can\'t be asked: '
            f'{type(error).__name__}: {" ".join(str(error).split())}'
        ) from error
