"""Gather what is in a report."""

import json
import platform
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from importlib import metadata
from typing import Any

from nova_ext.core.base.errors import RecordError
from nova_ext.core.decision.decision import Decision
from nova_ext.doctor.configuration import Configuration
from nova_ext.doctor.facts import Facts
from nova_ext.record.summary import Summary
from nova_ext.report import names
from nova_ext.report.digests import Digests
from nova_ext.report.scrub import Scrubber

README = '''\
A report of nova-ext, to be attached to a bug report.

Passwords are left out. Each name of a host, user, project, server, flavor,
image, zone or aggregate, each id and each address is replaced by a
pseudonym, the same in all files. What your own plugins and the names of
traits tell, a machine can't know to be a name: look the files through before
you give them away.

'''
#: Packages that take part in scheduling, or in what reports on it.
_PACKAGES = re.compile(
    r'(nova|keystone|openstack|oslo|placement|glance|neutron|os[-_]).*'
    r'|sqlalchemy|stevedore|cliff|pbr|eventlet|requests|numpy',
    re.IGNORECASE,
)


@dataclass(frozen=True)
class File:
    """Represent one file of a report.

    :param about: what is in it, a clause.
    """

    name: str
    about: str
    content: bytes


def build_files(
    checked: Mapping[str, Any], configuration: Configuration,
    records: Mapping[Any, Summary | RecordError], facts: Facts | None,
) -> list[File]:
    """Build the files, without secrets and names.

    :param checked: output of lint and doctor, by command.
    :param facts: of the cloud, whose names are replaced; None: it could not
        be reached.
    """
    scrubber = Scrubber()
    summaries = [s for s in records.values() if isinstance(s, Summary)]
    failures = [each for summary in summaries for each in summary.failures]
    names.learn_machine(scrubber)
    if facts is not None:
        names.learn_cloud(scrubber, facts)
    for decision in failures:
        names.learn_decision(scrubber, decision)
    for summary in summaries:
        scrubber.learn('host', summary.makers)

    def scrub(name: str, about: str, data: Any) -> File:
        text = json.dumps(scrubber.scrub_data(data), indent=1)
        return File(name, about, text.encode() + b'\n')

    files = [
        File('versions.json', 'versions of what is installed here',
             json.dumps(list_versions(), indent=1).encode() + b'\n'),
        scrub('configuration.json', 'digests of the configuration',
              Digests().digest(configuration)),
        *(
            scrub(f'{name}.json', f'what nova-ext {name} says', output)
            for name, output in checked.items()
        ),
        scrub('records.json', 'how much the decision records hold',
              [_count(record) for record in records.values()]),
        File('failures.jsonl', f'the last {len(failures)} decisions without '
             f'a host', _write_lines(scrubber, failures)),
    ]
    return [_write_readme(files), *files]


def list_versions() -> dict[str, str]:
    """Return the versions of Python, the system, and packages by name."""
    packages = {
        distribution.name: distribution.version
        for distribution in metadata.distributions()
        if distribution.name and _PACKAGES.fullmatch(distribution.name)
    }
    return {
        'python': platform.python_version(),
        'system': f'{platform.system()} {platform.machine()}',
        **dict(sorted(packages.items(), key=lambda pair: pair[0].lower())),
    }


def _count(summary: Summary | RecordError) -> dict[str, Any]:
    if isinstance(summary, RecordError):
        return {'error': str(summary)}
    counts = asdict(summary)
    del counts['failures']
    return counts


def _write_lines(scrubber: Scrubber, decisions: Iterable[Decision]) -> bytes:
    return b''.join(
        json.dumps(
            scrubber.scrub_data(decision.to_sparse_dict())
        ).encode() + b'\n'
        for decision in decisions
    )


def _write_readme(files: Iterable[File]) -> File:
    listed = ''.join(f'{file.name}: {file.about}\n' for file in files)
    return File(
        'README.txt', 'what is in the archive', (README + listed).encode()
    )
