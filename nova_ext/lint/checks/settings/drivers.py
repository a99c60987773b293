"""Check the drivers of nova-ext, and the rules of IPScheduler."""

import ast
from collections.abc import Iterator

from nova_ext.config_files.configuration import Value
from nova_ext.core.base import errors
from nova_ext.core.request.address_rules import AddressRules
from nova_ext.lint.subject.finding import Kind, LintFinding, Severity
from nova_ext.lint.subject.known_names import find_closest, list_installed
from nova_ext.lint.subject.subject import Subject
from nova_ext.plugin import ComputeDriver
from nova_ext.source_code.plugin_source import BrokenError, PluginClass

SHARED = Kind(
    'NX601', Severity.ERROR, 'drivers that share a topic',
    'A topic has one driver. nova-ext-scheduler does not start with two.',
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
    'nova-ext-scheduler does not start: no driver would choose hosts for '
    'servers.',
    'add scheduler_driver = FilterScheduler',
    '[nova_ext]\nscheduler_driver = zones.driver:ZoneDriver',
)
MALFORMED_RULE = Kind(
    'NX604', Severity.ERROR, 'a rule of IPScheduler that can\'t be read',
    'nova-ext-scheduler does not start.',
    'write CIDR=prefix',
    '[nova_ext_ip_scheduler]\nrules = 10.1.0.0=doc,10.2/16=ops',
)
KINDS = (SHARED, UNKNOWN, NO_COMPUTE, MALFORMED_RULE)


def run(subject: Subject) -> Iterator[LintFinding]:
    """Look up each driver and its topic, and read each rule."""
    yield from _check_drivers(subject)
    rules = subject.configuration.items('nova_ext_ip_scheduler', 'rules')
    good: list[str] = []
    for rule in rules:
        try:
            # The driver refuses two rules for one network, too.
            AddressRules([*good, rule.text], '')
        except errors.ConfigurationError as error:
            yield MALFORMED_RULE.at(rule.location, str(error))
        else:
            good.append(rule.text)


def _check_drivers(subject: Subject) -> Iterator[LintFinding]:
    known = _find_drivers(subject)
    topics: dict[str, Value] = {}
    all_known = bool(subject.drivers)
    for value in subject.drivers:
        if not {'.', ':'} & {*value.text} and value.text not in known:
            meant = find_closest(value.text, known)
            yield UNKNOWN.at(
                value.location, f'there is no driver {value.text}',
                f'write {meant}' if meant
                else f'there are: {", ".join(sorted(known))}',
            )
        topic = _find_topic(subject, known.get(value.text, value.text))
        if topic is None:
            all_known = False
        elif topic in topics:
            yield SHARED.at(
                value.location, f'{value.text} and {topics[topic].text} are '
                f'both of topic {topic}',
            )
        else:
            topics[topic] = value
    if all_known and ComputeDriver.topic not in topics:
        yield NO_COMPUTE.at(
            subject.drivers[0].location, 'no driver has the topic compute'
        )


def _find_drivers(subject: Subject) -> dict[str, str]:
    """Return the drivers of entry points and plain files, by name."""
    names = {point.name: point.dotted for point in list_installed('drivers')}
    for configured in subject.plugin_files:
        if configured.plugin:
            names[configured.plugin.name] = configured.dotted
    return names


def _find_topic(subject: Subject, dotted: str) -> str | None:
    """Return the topic of a driver, from its source; None: not known."""
    plugin = _find_plugin(subject, dotted.replace(':', '.'))
    if plugin is None:
        return None
    written = plugin.find_attribute('topic')
    if isinstance(written, ast.Constant):
        return str(written.value)
    if any(root.endswith('.ComputeDriver') for root in plugin.roots):
        return ComputeDriver.topic
    return None


def _find_plugin(subject: Subject, dotted: str) -> PluginClass | None:
    for configured in subject.plugin_files:
        if configured.dotted == dotted:
            return configured.plugin
    try:
        return subject.reader.read_class(dotted)
    except BrokenError:
        return None
