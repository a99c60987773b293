"""Read the configuration files that a command line names."""

from collections.abc import Sequence

from oslo_config import cfg


def read(
    conf: cfg.ConfigOpts, files: Sequence[str], folders: Sequence[str],
    prog: str, *, alone: bool = False,
) -> None:
    """Read files as a service of Nova does that is given these options.

    It reads its own nova.conf and prog.conf unless files are named. It reads
    its own folders, such as nova.conf.d, unless folders are named, and before
    what is named.

    :param files: of ``--config-file``.
    :param folders: of ``--config-dir``.
    :param prog: the name of the service.
    :param alone: read nothing besides what is named, if anything is.
    :raises cfg.Error: for what can't be read, as others of
        ``config_errors.ERRORS``.
    """
    own: list[str] | None = [] if alone and (files or folders) else None
    conf(
        list_words(files, folders), project='nova', prog=prog,
        default_config_files=own, default_config_dirs=own,
    )


def list_words(files: Sequence[str], folders: Sequence[str]) -> list[str]:
    """Return the words of a command line that name files and folders."""
    return [
        *(f'--config-file={file}' for file in files),
        *(f'--config-dir={folder}' for folder in folders),
    ]
