"""All computes of a lab in one process, apart from the rest of Nova.

``python -m nova_ext.lab.compute_process``: each has its own service, queues
and fake hypervisor, as a process of its own would have; one process takes a
tenth of the memory.
"""

from nova_ext.lab import nova_threads, open_files, process, states
from nova_ext.lab.process import Call, Running


def main() -> None:
    """Serve as every compute."""
    process.serve(process.call('nova_ext.lab.compute_process'), _start)


def _start(here: Call) -> Running:
    # Each compute keeps several connections to the broker.
    open_files.allow_many()
    nova_threads.choose_for_services()
    from nova_ext.lab import compute_services

    return compute_services.start(here, states.load(here.place))


if __name__ == '__main__':
    main()
