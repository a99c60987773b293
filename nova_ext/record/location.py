"""Where the record is: as nova-scheduler's own configuration says."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oslo_config import cfg

from nova_ext.conf import record, unreadable
from nova_ext.core.base.errors import RecordError

#: Nova's option, which a client without Nova has to know.
STATE_PATH = cfg.StrOpt('state_path', default='/var/lib/nova')


def path(
    config_files: Sequence[str] = (), config_dirs: Sequence[str] = ()
) -> Path:
    """The record's current file.

    Read from the files that nova-scheduler would read, or from the
    environment: ``OS_NOVA_EXT_RECORD__FILE``.

    :param config_files: in place of the files that nova-scheduler finds.
    :param config_dirs: in place of the folders that it finds.
    :raises RecordError: for configuration that can't be read.
    """
    try:
        conf = configuration(config_files, config_dirs)
    except cfg.ConfigFilesPermissionDeniedError as error:
        return _from_environment(error)
    except cfg.Error as error:
        raise RecordError(
            f'the configuration can\'t be read: {unreadable.why(error)}; '
            f'--record names the record itself'
        ) from None
    return Path(conf.nova_ext_record.file)


def configuration(
    config_files: Sequence[str] = (), config_dirs: Sequence[str] = (),
    modules: Sequence[Any] = (record,),
) -> cfg.ConfigOpts:
    """Nova-scheduler's configuration, as far as modules declare it.

    :param modules: of ``nova_ext.conf``.
    :raises cfg.Error: for configuration that can't be read.
    """
    conf = _registered(modules)
    conf([
        argument
        for option, values in (
            ('--config-file', config_files), ('--config-dir', config_dirs)
        )
        for value in values
        for argument in (option, value)
    ], project='nova', prog='nova-scheduler')
    return conf


def _from_environment(error: cfg.Error) -> Path:
    """The record where the files must not be read, if no file is needed."""
    conf = _registered((record,))
    conf([], default_config_files=[], default_config_dirs=[])
    found = conf.get_location('file', record.GROUP.name)
    if found is None or found.location is cfg.Locations.opt_default:
        raise RecordError(
            f'{unreadable.why(error)}; run this as the user of '
            f'nova-scheduler, or name the record with --record'
        ) from error
    return Path(conf.nova_ext_record.file)


def _registered(modules: Sequence[Any]) -> cfg.ConfigOpts:
    conf = cfg.ConfigOpts()
    conf.register_opt(STATE_PATH)
    for module in modules:
        conf.register_group(module.GROUP)
        conf.register_opts(module.OPTS, group=module.GROUP)
    return conf
