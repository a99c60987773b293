"""Write journals of a small cloud, as a scheduler writes them."""

from dataclasses import replace

from tests.unit.journal import samples

#: IDs of aggregates by host.
HOSTS = {
    host: {'free_ram_mb': 1, 'aggregates': aggregates}
    for host, aggregates in (('a', [1, 2]), ('b', [2]), ('c', []))
}
AGGREGATES = {
    1: {'nova_object.data': {'name': 'fast'}},
    2: {'nova_object.data': {'name': 'rack-2'}},
}
SPEC = {'nova_object.data': {
    'project_id': 'p', 'flavor': {'nova_object.data': {'name': 'small'}},
}}


def write(folder, *numbers, loss=None, options=None, **process):
    """Write one file of decisions, all placed on ``a`` with ``b`` after it.

    :param numbers: of the decisions, which are seconds of their times, too.
    :param loss: how many decisions were lost after them, and why.
    :param options: what is otherwise in the configuration.
    :param process: what is otherwise of the process that writes.
    :returns: its path.
    """
    if options:
        process['configuration'] = {'DEFAULT': options}
    made = samples.make_writer(
        folder, host=process.pop('host', 'ctl-1'), process=process
    )
    for number in numbers:
        made.write(make_decision(number))
    if loss:
        made.write_loss(*loss)
    made.close()
    return made._path


def make_decision(number):
    """Return what the writer takes."""
    packed = samples.make_decision(number, HOSTS, AGGREGATES)
    return replace(packed, body={**packed.body, 'spec': SPEC})
