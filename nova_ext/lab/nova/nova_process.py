"""Start Nova's processes: prepare each before Nova's own modules load.

Without a message broker Nova's services talk through ``fake://``, which
lives inside one process: API, conductor, scheduler and every compute. With
one, the API has a process, and the computes share one: each has its own
service, queues and fake hypervisor, as a process of its own would have; one
process takes a tenth of the memory.
"""

from nova_ext.lab.process import nova_threads, process
from nova_ext.lab.process.process import Arguments, Stop
from nova_ext.lab.process.web import Application
from nova_ext.lab.state.lab_state import State
from nova_ext.lab.state.paths import LabFolder
from nova_ext.lab.state.phase import PhaseReporter


def build_api(
    lab: LabFolder, state: State, reporter: PhaseReporter
) -> Application:
    """Prepare Nova's databases, for all of Nova, and load its API."""
    nova_threads.choose()
    from nova_ext.lab.nova import nova_api

    return nova_api.load(lab, state, reporter)


def start_all(args: Arguments, state: State) -> Stop:
    """Start all of Nova in this process."""
    # A hundred computes have more files open than is usual.
    process.allow_many_files()
    nova_threads.choose()
    from nova_ext.lab.nova import nova_services

    return nova_services.start(args, state)


def start_computes(args: Arguments, state: State) -> Stop:
    """Start every compute in this process, apart from the rest of Nova."""
    # Each compute keeps several connections to the broker.
    process.allow_many_files()
    nova_threads.choose_for_services()
    from nova_ext.lab.nova import computes

    return computes.serve(args, state)
