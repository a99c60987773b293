"""What went wrong when plugins were run, as ``--load`` asks for."""

from collections.abc import Iterator

from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.subject import Subject

FAILED = Kind(
    'NX521', Severity.ERROR, 'a plugin that fails when it is loaded',
    'The scheduler loads it the same way, and does not start.',
    'mend the plugin',
    'import no_such_module',
)
KINDS = (FAILED,)


def run(subject: Subject) -> Iterator[Finding]:
    """Report each that failed, where it did."""
    lines = subject.to_load()
    for path, loaded in subject.loaded.items():
        if loaded.problem:
            yield FAILED.at(
                loaded.place or lines[path].place,
                f'{path}: {loaded.problem}',
            )
