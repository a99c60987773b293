"""Simulate boots of a lab with the plugins of a plain file.

It runs in the process of the command, as ``nova-ext simulate`` does, with the
lab's databases and placement.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nova import context

from nova_ext.core.base.errors import NovaExtError
from nova_ext.core.decision.decision import COMPUTE, Decision
from nova_ext.core.plugin import plugin_file
from nova_ext.core.rpc.boot_request import BootRequest, Changes
from nova_ext.lab.configuration import environment
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder
from nova_ext.plugin import ComputeDriver, Driver
from nova_ext.scheduler.base import options
from nova_ext.scheduler.cycle.nova_decider import NovaDecider
from nova_ext.scheduler.facts import nova_facts
from nova_ext.scheduler.plugins import drivers, traced
from nova_ext.scheduler.plugins.adapters import FilterAdapter, WeigherAdapter
from nova_ext.scheduler.what_if import request_spec
from nova_ext.scheduler.what_if.simulate import offline_simulation
from nova_ext.scheduler.what_if.simulate.simulation import Simulation
from nova_ext.scheduler.what_if.simulate.simulation_requests import MAX_RANKED

Plugins = Mapping[str, Sequence[type]]


def read_configuration(lab: LabFolder) -> None:
    """Read the lab's nova.conf; call it once in a process.

    :raises NovaExtError: when it can't be read.
    """
    # Placement is on this machine, whatever proxy a site has.
    os.environ.update(environment.bypass_proxies(os.environ))
    options.register_all()
    offline_simulation.read_configuration(
        [str(lab.configuration('nova') / 'nova.conf')], []
    )


def make_decider(*, stock: bool) -> NovaDecider:
    """Return what decides as the lab's scheduler does.

    :param stock: whether that is Nova's own, which has no drivers.
    :raises ConfigurationError: for a plugin that can't be used.
    """
    decider = offline_simulation.make_decider()
    if not stock:
        driver = drivers.load(
            options.CONF.nova_ext.scheduler_driver, nova_facts.get()
        )[COMPUTE]
        assert isinstance(driver, ComputeDriver)  # noqa: S101  load() checks
        decider.driver = driver
    return decider


def decide(
    live: NovaDecider, path: Path, request: BootRequest,
    caller: Mapping[str, Any],
) -> tuple[dict[str, list[str]], Decision]:
    """Decide a request with the plugins of a file.

    :param live: decides without them.
    :param caller: arguments of a RequestContext.
    :returns: names of the file's classes, by kind, and the decision.
    :raises NovaExtError: for a file that can't be used, with its line number
        where there is one.
    """
    with plugin_file.load_temporarily(path) as plugins:
        try:
            decision = _decide(live, plugins, request, caller)
        except (Exception, SystemExit) as error:
            raise _describe_failure(path, error) from error
        return plugin_file.get_names(plugins), decision


def _decide(
    live: NovaDecider, plugins: Plugins, request: BootRequest,
    caller: Mapping[str, Any],
) -> Decision:
    trial = Simulation(live, Changes(), MAX_RANKED)
    _add_plugins(trial.decider, plugins)
    user = context.RequestContext(**caller)
    decision = trial.decide(user, *request_spec.make(user, request))
    if trial.raised is not None:
        raise trial.raised
    if decision is None:
        raise LabError('the decision could not be traced')
    return decision


def _add_plugins(decider: NovaDecider, plugins: Plugins) -> None:
    """Add a file's classes to what decides.

    :param plugins: classes under ``filter``, ``weigher`` and ``driver``.
        They come last, and replace others of their names.
    :raises LabError: for two drivers.
    """
    host_manager = decider.host_manager
    host_manager.enabled_filters = _add(
        host_manager.enabled_filters, FilterAdapter.adapt,
        plugins.get('filter', ()),
    )
    host_manager.weighers = _add(
        host_manager.weighers, WeigherAdapter.adapt,
        plugins.get('weigher', ()),
    )
    traced.trace_all(host_manager)
    own: dict[str, Driver] = {}
    for cls in plugins.get('driver', ()):
        driver = drivers.make(cls.__name__, cls, nova_facts.get())
        if driver.topic in own:
            names = f'{type(own[driver.topic]).__name__} and {cls.__name__}'
            raise LabError(f'{names} are drivers of one topic; keep one')
        own[driver.topic] = driver
    driver_of_file = own.get(COMPUTE)
    if isinstance(driver_of_file, ComputeDriver):
        decider.driver = driver_of_file


def _add(
    plugins: Sequence[Any], adapt: Any, classes: Sequence[type]
) -> list[Any]:
    """Return filters or weighers, those of some classes last."""
    names = {cls.__name__ for cls in classes}
    return [
        *(one for one in plugins if type(one).__name__ not in names),
        *(adapt(cls)() for cls in classes),
    ]


def _describe_failure(path: Path, error: BaseException) -> LabError:
    """Return an error as one line, with the file's line number if it has one.

    :param error: a plugin's own error is its cause.
    """
    cause = error.__cause__ or error
    if plugin_file.find_line(path, cause):
        return LabError(plugin_file.describe_error(path, cause))
    line = str(error)
    if not isinstance(error, NovaExtError):
        prefix = type(error).__name__ if cause is error else line
        line = f'{prefix}: {cause}'
    return LabError(' '.join(line.split()))
