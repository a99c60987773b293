"""Find the record in nova-scheduler's own configuration."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from oslo_config import cfg

from nova_ext.conf import config_errors, named_files, record
from nova_ext.core.base.errors import RecordError

#: Options of Nova and oslo.log, which a client without Nova has to know.
STATE_PATH = cfg.StrOpt('state_path', default='/var/lib/nova')
_LOG_OPTS = (
    cfg.StrOpt('log_file', deprecated_name='logfile'),
    cfg.StrOpt('log_dir', deprecated_name='logdir'),
)


def find_record(
    config_files: Sequence[str] = (), config_dirs: Sequence[str] = ()
) -> Path:
    """Return the path of the record's current file.

    Read it from the files that nova-scheduler reads with the same options, or
    from the environment: ``OS_NOVA_EXT_RECORD__FILE``.

    :param config_files: see :func:`named_files.read`, as for config_dirs.
    :raises RecordError: for configuration that can't be read.
    """
    try:
        conf = load_configuration(config_files, config_dirs)
    except cfg.ConfigFilesPermissionDeniedError as error:
        return _from_environment(error)
    except config_errors.ERRORS as error:
        raise RecordError(
            'the configuration can\'t be read: '
            f'{config_errors.describe(error)}; --record names the record '
            'itself'
        ) from None
    return Path(conf.nova_ext_record.file)


def find_log(
    config_files: Sequence[str] = (), config_dirs: Sequence[str] = ()
) -> Path | None:
    """Return the path of nova-scheduler's log; None if it names no file.

    :param config_files: see :func:`named_files.read`, as for config_dirs.
    """
    try:
        conf = load_configuration(config_files, config_dirs, ())
    except config_errors.ERRORS:
        return None
    if not (conf.log_file or conf.log_dir):
        return None
    return Path(conf.log_dir or '', conf.log_file or 'nova-scheduler.log')


def load_configuration(
    config_files: Sequence[str] = (), config_dirs: Sequence[str] = (),
    modules: Sequence[Any] = (record,), *, alone: bool = False,
) -> cfg.ConfigOpts:
    """Read the options of nova-scheduler's configuration that modules declare.

    :param config_files: see :func:`named_files.read`, as for config_dirs and
        alone.
    :param modules: of ``nova_ext.conf``.
    :raises cfg.Error: for configuration that can't be read.
    """
    conf = _declare(modules)
    named_files.read(
        conf, config_files, config_dirs, 'nova-scheduler', alone=alone
    )
    return conf


def _from_environment(error: cfg.Error) -> Path:
    """Return the record's path if the environment names it, else raise."""
    conf = _declare((record,))
    conf([], default_config_files=[], default_config_dirs=[])
    source = conf.get_location('file', record.GROUP.name)
    if source is None or source.location is cfg.Locations.opt_default:
        raise RecordError(
            f'{config_errors.describe(error)}; run this as the user of '
            f'nova-scheduler, or name the record with --record'
        ) from error
    return Path(conf.nova_ext_record.file)


def _declare(modules: Sequence[Any]) -> cfg.ConfigOpts:
    conf = cfg.ConfigOpts()
    conf.register_opts([STATE_PATH, *_LOG_OPTS])
    for module in modules:
        conf.register_group(module.GROUP)
        conf.register_opts(module.OPTS, group=module.GROUP)
    return conf
