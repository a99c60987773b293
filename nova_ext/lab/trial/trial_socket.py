"""Send a file to a lab's scheduler, which runs it.

Only the lab's owner may reach the scheduler: it listens on a socket in the
lab's folder, which nobody else may enter.
"""

import contextlib
import json
import logging
import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from nova_ext.core.base.errors import NovaExtError
from nova_ext.lab.state.errors import LabError
from nova_ext.lab.state.paths import LabFolder

Message = dict[str, Any]

#: Seconds until a scheduler must have answered.
DEADLINE_S = 60.0

_ERROR = 'error'
_SUFFIX = '.trials'

LOG = logging.getLogger(__name__)


def serve(
    lab: LabFolder, host: str, answer: Callable[[Message], Message]
) -> None:
    """Answer questions in a thread, one at a time, while the process lives.

    :param host: the scheduler's name. The last of its workers to start
        answers.
    :param answer: takes a question; a NovaExtError of it is sent back.
    """
    listener = socket.socket(socket.AF_UNIX)
    path = lab.run / f'{host}{_SUFFIX}'
    own = lab.run / f'{host}.{os.getpid()}'
    own.unlink(missing_ok=True)
    with _short(own) as address:
        listener.bind(address)
    listener.listen()
    own.rename(path)
    threading.Thread(
        target=_answer_all, name='trials', args=(listener, answer),
        daemon=True,
    ).start()


def ask(lab: LabFolder, question: Message) -> Message:
    """Ask a scheduler of the lab.

    :param question: plain data, as the answer is.
    :raises LabError: with the scheduler's error, or when none answers.
    """
    try:
        with _connect(lab) as connection, connection.makefile('rw') as file:
            _write(file, question)
            answer: Message = json.loads(file.readline())
    except TimeoutError as error:
        raise LabError(
            f'no verdict within {DEADLINE_S:.0f} s; if the file waits for '
            'something, mend it and restart the scheduler: '
            f'nova-ext lab restart scheduler --name {lab.name}'
        ) from error
    except (OSError, ValueError) as error:
        raise LabError(
            'the lab\'s scheduler ended before it answered; see: nova-ext '
            f'lab logs scheduler --name {lab.name}'
        ) from error
    if _ERROR in answer:
        raise LabError(answer[_ERROR])
    return answer


def _answer_all(
    listener: socket.socket, answer: Callable[[Message], Message]
) -> None:
    while True:
        connection, _ = listener.accept()
        # The client may have gone, or only have tried the connection.
        with (
            contextlib.suppress(OSError, ValueError),
            connection, connection.makefile('rw') as file,
        ):
            _write(file, _answer(answer, json.loads(file.readline())))


def _answer(
    answer: Callable[[Message], Message], question: Message
) -> Message:
    try:
        return answer(question)
    except NovaExtError as error:
        return {_ERROR: str(error)}
    except (Exception, SystemExit) as error:
        LOG.exception('A trial failed')
        line = ' '.join(str(error).split())
        return {_ERROR: f'the trial failed: {type(error).__name__}: {line}'}


def _write(stream: Any, message: Message) -> None:
    stream.write(json.dumps(message) + '\n')
    stream.flush()


def _connect(lab: LabFolder) -> socket.socket:
    """Connect to any scheduler of the lab.

    :raises LabError: when none listens.
    """
    for path in sorted(lab.run.glob(f'*{_SUFFIX}')):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(DEADLINE_S)
        try:
            with _short(path) as address:
                connection.connect(address)
        except OSError:
            # Its scheduler has ended.
            connection.close()
        else:
            return connection
    raise LabError(
        f'no scheduler of lab {lab.name} takes a file to try; Nova\'s own '
        f'takes none: nova-ext lab up --name {lab.name} --no-stock'
    )


@contextlib.contextmanager
def _short(path: Path) -> Iterator[str]:
    """Give a name of a path that is short enough for a socket, 107 bytes."""
    folder = os.open(path.parent, os.O_PATH)
    try:
        yield f'/proc/self/fd/{folder}/{path.name}'
    finally:
        os.close(folder)
