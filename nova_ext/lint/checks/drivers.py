"""Drivers of nova-ext: there, of known topics, one each."""

import ast
from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.core.extension import ComputeDriver
from nova_ext.lint.subject import installed
from nova_ext.lint.subject.finding import Finding, Kind, Severity
from nova_ext.lint.subject.likely import likely
from nova_ext.lint.subject.subject import Subject
from nova_ext.source_code.plugin_source import BrokenError, Plugin

SHARED = Kind(
    'NX601', Severity.ERROR, 'drivers that share a topic',
    'One driver decides a topic; nova-ext-scheduler does not start with two.',
    'keep one driver a topic',
    '[nova_ext]\nscheduler_driver = IPScheduler\n'
    'scheduler_driver = ChanceScheduler',
)
UNKNOWN = Kind(
    'NX602', Severity.ERROR, 'a driver that does not exist',
    'nova-ext-scheduler does not start.',
    'name an entry point of nova_ext.drivers, or package.module:Class',
    '[nova_ext]\nscheduler_driver = IpScheduler',
)
NO_COMPUTE = Kind(
    'NX603', Severity.ERROR, 'no driver of topic compute',
    'nova-ext-scheduler does not start: nobody would decide where servers '
    'go.',
    'add scheduler_driver = FilterScheduler',
    '[nova_ext]\nscheduler_driver = zones.driver:ZoneDriver',
)
KINDS = (SHARED, UNKNOWN, NO_COMPUTE)


def run(subject: Subject) -> Iterator[Finding]:
    """Look up each driver and its topic."""
    values = subject.drivers
    topics: dict[str, Value] = {}
    sure = bool(values)
    for value in values:
        known = _names(subject)
        if '.' not in value.text and value.text not in known:
            meant = likely(value.text, known)
            yield UNKNOWN.at(
                value.place, f'there is no driver {value.text}',
                f'write {meant}' if meant
                else f'there are: {", ".join(sorted(known))}',
            )
        topic = _topic(subject, known.get(value.text, value.text))
        sure = sure and topic is not None
        if topic in topics:
            yield SHARED.at(
                value.place, f'{value.text} and {topics[topic].text} are '
                f'both of topic {topic}',
            )
        elif topic:
            topics[topic] = value
    if sure and ComputeDriver.topic not in topics:
        yield NO_COMPUTE.at(
            values[0].place, 'no driver of topic compute is chosen'
        )


def _names(subject: Subject) -> dict[str, str]:
    """Drivers that have a name of their own: entry points and files."""
    names = {
        point.name: point.dotted for point in installed.plugins('drivers')
    }
    for chosen in subject.extension_files:
        if chosen.plugin:
            names[chosen.plugin.name] = chosen.dotted
    return names


def _topic(subject: Subject, dotted: str) -> str | None:
    """The topic of a driver, from its source; None: not known."""
    plugin = _plugin(subject, dotted.replace(':', '.'))
    if plugin is None:
        return None
    written = plugin.attribute('topic')
    if isinstance(written, ast.Constant):
        return str(written.value)
    if (plugin.root or '').endswith('.ComputeDriver'):
        return ComputeDriver.topic
    return None


def _plugin(subject: Subject, dotted: str) -> Plugin | None:
    for chosen in subject.extension_files:
        if chosen.dotted == dotted:
            return chosen.plugin
    try:
        return subject.reader.plugin(dotted)
    except BrokenError:
        return None
