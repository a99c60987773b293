"""What is in a report."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision.decision import Decision
from nova_ext.doctor.configuration import Configuration
from nova_ext.doctor.facts import Facts
from nova_ext.record.summary import Summary
from nova_ext.report import names
from nova_ext.report.digests import Digests
from nova_ext.report.scrub import Scrubber
from nova_ext.report.versions import versions

README = '''\
A report of nova-ext, to be attached to a bug report.

Passwords are left out. Each name of a host, user, project, server, flavor,
image, zone or aggregate, each id and each address is replaced by a
pseudonym, the same in all files. What your own plugins and the names of
traits tell, a machine can't know to be a name: look the files through before
you give them away.

'''


@dataclass(frozen=True)
class File:
    """One file of a report.

    :param about: what is in it, a clause.
    """

    name: str
    about: str
    content: bytes


def files(
    checked: Mapping[str, Any], configuration: Configuration,
    records: Mapping[Any, Summary | RecordError], facts: Facts | None,
) -> list[File]:
    """The files, without secrets and names.

    :param checked: what doctor, and others like it, say, by their name.
    :param facts: of the cloud, whose names are to be known; None: it could
        not be reached.
    """
    scrubber = Scrubber()
    failures = [
        decision for found in records.values() if isinstance(found, Summary)
        for decision in found.failures
    ]
    names.of_this_machine(scrubber)
    if facts is not None:
        names.of_cloud(scrubber, facts)
    for decision in failures:
        names.of_decision(scrubber, decision)
    for found in records.values():
        if isinstance(found, Summary):
            scrubber.learn('host', found.makers)

    def scrubbed(name: str, about: str, data: Any) -> File:
        text = json.dumps(scrubber.data(data), indent=1)
        return File(name, about, text.encode() + b'\n')

    made = [
        File('versions.json', 'versions of what is installed here',
             json.dumps(versions(), indent=1).encode() + b'\n'),
        scrubbed('configuration.json', 'digests of the configuration',
                 Digests().all(configuration)),
        *(
            scrubbed(f'{name}.json', f'what nova-ext {name} says', said)
            for name, said in checked.items()
        ),
        scrubbed('records.json', 'how much the decision records hold',
                 [_tally(found) for found in records.values()]),
        File('failures.jsonl', f'the last {len(failures)} decisions without '
             f'a host', _lines(scrubber, failures)),
    ]
    return [_readme(made), *made]


def _tally(found: Summary | RecordError) -> dict[str, Any]:
    if isinstance(found, RecordError):
        return {'error': str(found)}
    tally = asdict(found)
    del tally['failures']
    return tally


def _lines(scrubber: Scrubber, decisions: Iterable[Decision]) -> bytes:
    return b''.join(
        json.dumps(scrubber.data(decision.to_sparse_dict())).encode() + b'\n'
        for decision in decisions
    )


def _readme(made: Iterable[File]) -> File:
    listed = ''.join(f'{file.name}: {file.about}\n' for file in made)
    return File(
        'README.txt', 'what is in the archive', (README + listed).encode()
    )
