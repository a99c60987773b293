"""Judge how many hosts are in no aggregate with some metadata."""

from nova_ext.cloud_rules import quantity
from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.rules_file import NAME, CloudRule
from nova_ext.core.explanation.text_format import format_hosts, pluralize

KEY = 'are in no aggregate with'
SCHEMA = {
    'type': 'object', 'required': ['hosts'], 'additionalProperties': False,
    'properties': {**NAME, 'hosts': {
        'type': 'string', 'pattern': quantity.HOSTS_ALONE,
        'description': quantity.HOW_HOSTS_ALONE,
    }, KEY: {'type': 'string', 'minLength': 1}},
}


def judge(rule: CloudRule, cloud: JudgedCloud) -> str:
    """Return what is otherwise than the rule says; empty: nothing."""
    key = rule.fields[KEY]
    outside = list_outside(cloud, key)
    count, demanded = len(outside), quantity.parse(rule.fields['hosts'])
    if demanded.holds(count, count, len(cloud.hosts)):
        return ''
    return (
        f'{count} of {pluralize(len(cloud.hosts), "host")} '
        f'{"is" if count == 1 else "are"} in no aggregate with {key}'
        + (f': {format_hosts(outside)}' if outside else '')
    )


def list_outside(cloud: JudgedCloud, key: str) -> list[str]:
    """Return the hosts that are in no aggregate with a key of metadata."""
    inside: set[str] = set()
    for aggregate in cloud.aggregates:
        if key in aggregate.metadata:
            inside |= aggregate.hosts
    return sorted(cloud.hosts - inside)
