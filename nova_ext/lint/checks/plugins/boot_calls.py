"""Find filters and weighers that call another service for every host."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code import lazy_loads
from nova_ext.source_code.external_calls import find_calls

SLOW = Kind(
    'NX515', Severity.WARNING, 'a plugin that makes a slow call for each host',
    'The method runs for every host of every request. With a thousand hosts '
    'a call of 5 ms makes a boot 5 s longer. If the called service is down, '
    'all boots fail.',
    'make the call once, outside the request, and keep the answer; or set '
    'the data as metadata of an aggregate or as a trait of the host',
    'def host_passes(self, host_state, spec_obj):\n'
    '    return requests.get(f\'http://cmdb/{host_state.host}\').ok',
)
KINDS = (SLOW,)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Follow what each plugin calls for every host."""
    for configured, plugin, contract in subject.contracts():
        for place, name in lazy_loads.find_loads(
            plugin, contract, subject.reader
        ):
            yield SLOW.at(
                place, f'{name} of a server on the host queries the database: '
                f'one query for each server of each host, by {plugin.name}',
                'count by what needs no query: the keys of '
                'host_state.instances, num_instances or stats; or ask once '
                'for all hosts in filter_all or weigh_objects',
            )
        for call in find_calls(plugin, contract, subject.reader):
            yield SLOW.at(
                call.location, f'{call.name} {call.effect}, called by '
                f'{", ".join(call.path)} of {configured.dotted}',
            )


def find_callers(subject: Subject) -> set[str]:
    """Return the names of the plugins that make such calls."""
    return {
        plugin.name for _, plugin, contract in subject.contracts()
        if find_calls(plugin, contract, subject.reader)
        or any(lazy_loads.find_loads(plugin, contract, subject.reader))
    }
