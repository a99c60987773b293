"""The manager of a lab's scheduler, which takes files to try.

Only the lab's own programs name it; no option does.
"""

import os
from functools import partial
from pathlib import Path

from nova_ext.lab.state.paths import MARKER, Place
from nova_ext.lab.trial import trial, trial_socket
from nova_ext.scheduler.manager import SchedulerManager


class TrialManager(SchedulerManager):
    """The manager of nova-ext-scheduler, and the socket for trials."""

    def post_start_hook(self) -> None:
        """Listen in a worker, once it schedules."""
        super().post_start_hook()
        trial_socket.serve(
            Place(Path(os.environ[MARKER])), self.host,
            partial(trial.answer, self),
        )
