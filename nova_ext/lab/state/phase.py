"""Report how far a starting service is, through a small file."""

import contextlib
import dataclasses
import json
import os
import sys
import traceback
from collections.abc import Iterator

from nova_ext.core.base import atomic_file, errors
from nova_ext.lab.state.paths import LabFolder


@dataclasses.dataclass(frozen=True)
class Phase:
    """Describe what a service does at the moment.

    :param text: for a person.
    :param ready: whether it serves.
    :param error: why it could not start, on one line.
    """

    text: str
    ready: bool = False
    error: str | None = None


class PhaseReporter:
    """Write the phases of a service."""

    def __init__(self, lab: LabFolder, service: str) -> None:
        self._file = lab.phase(service)

    def report(
        self, text: str, *, ready: bool = False, error: str | None = None
    ) -> None:
        """Write what this process does now."""
        document = {
            'pid': os.getpid(), 'text': text, 'ready': ready, 'error': error,
        }
        atomic_file.write(self._file, json.dumps(document))

    @contextlib.contextmanager
    def starting(self) -> Iterator[None]:
        """End the process if it can't start, and report why."""
        try:
            yield
        except KeyboardInterrupt:
            os._exit(130)
        except BaseException as error:
            traceback.print_exc()
            self.report('failed', error=_format_error(error))
            # Threads that run already would keep the process.
            sys.stderr.flush()
            os._exit(1)


def read(lab: LabFolder, service: str, pid: int) -> Phase:
    """Return the last phase of a service.

    :param pid: its process; a phase of an earlier one does not count.
    """
    try:
        document = json.loads(lab.phase(service).read_text())
    except (OSError, ValueError):
        return Phase('starting')
    if document.pop('pid') != pid:
        return Phase('starting')
    return Phase(**document)


def _format_error(error: BaseException) -> str | None:
    if isinstance(error, SystemExit):
        # The reason is in the log already.
        return None
    text = ' '.join(str(error).split())
    if isinstance(error, errors.NovaExtError):
        return text
    return f'{type(error).__name__}: {text}'
