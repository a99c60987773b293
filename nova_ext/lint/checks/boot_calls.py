"""Filters and weighers that ask somebody else about every host."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Chosen, Subject
from nova_ext.source_code import contract, external_calls

LEAVES = Kind(
    'NX515', Severity.WARNING, 'a plugin that asks somebody else per host',
    'The method runs for every host of every request: at a thousand hosts a '
    'call of 5 ms makes a boot 5 s longer, and the service it asks can stop '
    'all boots.',
    'ask once, outside the request, and keep the answer; or set what is '
    'needed as metadata of an aggregate or a trait of the host',
    'def host_passes(self, host_state, spec_obj):\n'
    '    return requests.get(f\'http://cmdb/{host_state.host}\').ok',
)
KINDS = (LEAVES,)


def run(subject: Subject) -> Iterator[Finding]:
    """Follow what each plugin calls for every host."""
    for chosen in subject.plugins:
        for call in _calls(chosen):
            way = ', '.join(call.through)
            yield LEAVES.at(
                call.place, f'{call.name} {call.does}, called by {way} of '
                f'{chosen.dotted}',
            )


def leaving(subject: Subject) -> set[str]:
    """Names of the plugins that do."""
    return {
        chosen.plugin.name for chosen in subject.plugins
        if chosen.plugin and _calls(chosen)
    }


def _calls(chosen: Chosen) -> list[external_calls.Call]:
    known = contract.contract(chosen.plugin) if chosen.plugin else None
    if chosen.plugin is None or known is None:
        return []
    return external_calls.calls(chosen.plugin, known.per_host)
