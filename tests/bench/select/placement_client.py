"""Time what a scheduler asks of placement, and count what it refuses."""

import threading
import time

import nova.conf
from nova.scheduler.client import report

CONF = nova.conf.CONF


class Client(report.SchedulerReportClient):
    """Nova's placement client; it times its calls and counts refusals.

    :param url: of placement.
    :ivar conflicts: answers with HTTP 409 to claims, by placement's code.
    """

    def __init__(self, url):
        self.conflicts = {}
        self._stage = threading.local()
        CONF.set_override('endpoint_override', url, group='placement')
        super().__init__()

    def take_stages(self):
        """Return the seconds of this thread's calls, by stage; begin anew."""
        taken = getattr(self._stage, 'seconds', {})
        self._stage.seconds = {}
        return taken

    def add_stage(self, name, seconds):
        """Add to the seconds of a stage of this thread."""
        stages = getattr(self._stage, 'seconds', {})
        stages[name] = stages.get(name, 0.0) + seconds
        self._stage.seconds = stages

    def get_allocation_candidates(self, *args):
        """As Nova's, timed."""
        began = time.perf_counter()
        try:
            return super().get_allocation_candidates(*args)
        finally:
            self.add_stage('placement', time.perf_counter() - began)

    def claim_resources(self, *args, **kwargs):
        """As Nova's, timed."""
        began = time.perf_counter()
        try:
            return super().claim_resources(*args, **kwargs)
        finally:
            self.add_stage('claim', time.perf_counter() - began)

    def put(self, *args, **kwargs):
        """As Nova's; count refusals."""
        return self._count(super().put(*args, **kwargs))

    def post(self, *args, **kwargs):
        """As Nova's; count refusals."""
        return self._count(super().post(*args, **kwargs))

    def _count(self, answer):
        if answer.status_code == 409:
            code = answer.json()['errors'][0]['code']
            self.conflicts[code] = self.conflicts.get(code, 0) + 1
        return answer
