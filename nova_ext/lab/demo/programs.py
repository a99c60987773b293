"""Run console scripts inside this process, as processes would run them.

Each process would import OpenStack's clients anew, which takes longer than
what they do.
"""

import contextlib
import io
import logging
import os
import pkgutil
import signal
from collections.abc import Iterator, Mapping, Sequence

#: What the scripts call, by name.
MAINS = {
    'openstack': 'openstackclient.shell:main',
    'nova-ext': 'nova_ext.cmd.main:main',
}


def run(words: Sequence[str], variables: Mapping[str, str]) -> str:
    """Run a script, and return what it writes on both streams.

    :param words: its name, one of MAINS, and its arguments.
    :param variables: its environment.
    :raises KeyboardInterrupt: when it was interrupted.
    """
    main = pkgutil.resolve_name(MAINS[words[0]])
    out, err = io.StringIO(), io.StringIO()
    with (
        _environment(variables), _own_log(),
        contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
    ):
        try:
            status = main([*words[1:]])
        except SystemExit as ended:
            status = ended.code
    # The scripts' framework turns it into a status.
    if status == 128 + signal.SIGINT:
        raise KeyboardInterrupt
    return out.getvalue() + err.getvalue()


@contextlib.contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    before = dict(os.environ)
    try:
        _replace_environment(variables)
        yield
    finally:
        _replace_environment(before)


def _replace_environment(variables: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(variables)


@contextlib.contextmanager
def _own_log() -> Iterator[None]:
    """Leave the log to the script, which configures it."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    root.handlers = []
    try:
        yield
    finally:
        root.handlers = handlers
        root.setLevel(level)
