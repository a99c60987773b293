"""Find the mode of nova-ext that each setting needs, and if it is in use."""

from collections.abc import Iterator
from dataclasses import dataclass

from nova_ext.conf import all_options
from nova_ext.core.base.mode import Mode
from nova_ext.lint.subject import known_names
from nova_ext.lint.subject.finding import Kind, LintFinding, Location, Severity
from nova_ext.lint.subject.subject import Subject

OUT_OF_REACH = Kind(
    'NX605', Severity.ERROR, 'a setting that the mode in use does not read',
    'The setting is silently ignored. A stock nova-scheduler, for instance, '
    'has no drivers.',
    'start nova-ext-scheduler in place of nova-scheduler, or remove the '
    'setting',
    '[nova_ext]\nscheduler_driver = IPScheduler',
)
NEEDS_SCHEDULER = Kind(
    'NX606', Severity.INFO, 'a setting that needs nova-ext-scheduler',
    'A stock nova-scheduler silently ignores it. Give lint --mode scheduler '
    'if nova-ext-scheduler runs.',
    'start nova-ext-scheduler in place of nova-scheduler',
    '[nova_ext]\nscheduler_driver = IPScheduler',
)
KINDS = (OUT_OF_REACH, NEEDS_SCHEDULER)

_KOLLA = (
    'build an image whose nova-scheduler command is nova-ext-scheduler: the '
    'stock container\'s command is fixed'
)


@dataclass(frozen=True)
class Need:
    """Represent a setting and the mode it needs.

    :param is_default: whether it says what holds without it.
    """

    setting: str
    mode: Mode
    location: Location
    is_default: bool = False


def list_needs(subject: Subject) -> Iterator[Need]:
    """Generate the settings that need nova-ext, in the order of the files."""
    own = known_names.list_own_options()
    for (group, option), value in subject.configuration.settings():
        if option in own.get(group, {}):
            mode = all_options.get_mode(group, option)
            default = own[group][option].default
            values = map(str, default if isinstance(default, list)
                         else [default])
            yield Need(
                f'[{group}] {option}', mode, value.location,
                value.text.strip() in ('', *values),
            )
        elif (group, option) in (
            ('filter_scheduler', 'available_filters'),
            ('filter_scheduler', 'weight_classes'),
        ):
            for item in value.items():
                if item.text in (
                    known_names.FILTERS_LINE, known_names.WEIGHERS_LINE
                ):
                    yield Need(
                        f'[{group}] {option} = {item.text}', Mode.PLUGIN,
                        item.location,
                    )


def run(subject: Subject) -> Iterator[LintFinding]:
    """Compare the mode each setting needs with the one in use."""
    fix = _KOLLA if subject.sources.layout == 'kolla' else ''
    mode = subject.mode or _find_mode(subject)
    for need in list_needs(subject):
        what = f'{need.setting} needs {need.mode} mode'
        if need.is_default:
            continue
        if mode is not None and not mode.includes(need.mode):
            yield OUT_OF_REACH.at(need.location, what, fix)
        elif mode is None and need.mode is Mode.SCHEDULER:
            yield NEEDS_SCHEDULER.at(need.location, what, fix)


def _find_mode(subject: Subject) -> Mode | None:
    """Return the mode that a local.conf gives nova-ext's devstack plugin."""
    for layer in subject.configuration.layers:
        value = layer.variables.get('NOVA_EXT_MODE')
        if value and value.text in (Mode.PLUGIN.value, Mode.SCHEDULER.value):
            return Mode(value.text)
    return None
