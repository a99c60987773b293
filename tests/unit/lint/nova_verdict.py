"""Ask Nova itself about configurations; run as a program.

Standard input has a list of pairs: a folder for plugins, and the files of a
configuration. The answer has for each what Nova raised, kind and message:
when it read the files and their options, when it loaded and created filters
and weighers, and when these were asked about two hosts.
"""

import json
import sys

import nova.conf
import nova.rpc
from nova import objects
from nova.scheduler import host_manager
from nova.scheduler import weights as nova_weights
from oslo_config import cfg
from oslo_messaging import transport

CONF = nova.conf.CONF


class Manager(host_manager.HostManager):
    """Leave out what asks the database."""

    def refresh_cells_caches(self):
        """Do nothing."""

    def _init_aggregates(self):
        pass

    def _init_instance_info(self, computes_by_cell=None):
        pass


def ask(folder, files):
    """Return what Nova raised."""
    CONF.reset()
    sys.path.insert(0, folder)
    try:
        CONF([], project='nova', default_config_files=files,
             default_config_dirs=[])
        return [*read_options(), *start()]
    except BaseException as error:
        return [describe(error)]
    finally:
        sys.path.remove(folder)


def read_options():
    """Read every option."""
    found = []
    for group in [None, *CONF._groups]:
        options = CONF[group] if group else CONF
        for name in options:
            try:
                options[name]
            except Exception as error:
                found.append(describe(error))
    return found


def start():
    """Create filters and weighers as a scheduler does, and use them."""
    try:
        manager = Manager()
    except BaseException as error:
        return [describe(error)]
    found = []
    spec = objects.RequestSpec(
        project_id='p', scheduler_hints={}, requested_resources=[],
        num_instances=1, is_bfv=False,
    )
    hosts = [
        host_manager.HostState(name, name, f'uuid-{name}')
        for name in ('n1', 'n2')
    ]
    for each in manager.enabled_filters:
        if type(each).__module__.startswith('nova.'):
            continue
        try:
            list(each.filter_all(iter(hosts), spec))
        except Exception as error:
            found.append(describe(error))
    weighers = [
        each for each in manager.weighers
        if not type(each).__module__.startswith('nova.')
    ]
    try:
        nova_weights.HostWeightHandler().get_weighed_objects(
            weighers, hosts, spec
        )
    except Exception as error:
        found.append(describe(error))
    return found


def describe(error):
    """Return kind and message."""
    return f'{type(error).__name__}: {error}'


def main():
    """Answer all."""
    objects.register_all()
    CONF.register_opts(transport._transport_opts)
    CONF.register_opt(cfg.StrOpt('password', secret=True), group='placement')
    print(json.dumps([ask(*one) for one in json.load(sys.stdin)]))


if __name__ == '__main__':
    main()
