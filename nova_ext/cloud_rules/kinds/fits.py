"""Judge how many servers of a flavor fit, in a group or alone."""

from collections.abc import Mapping
from typing import Any

from nova_ext.cli import capacity_text
from nova_ext.cloud_rules import quantity
from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.kinds import passes
from nova_ext.cloud_rules.rules_file import NAME, CloudRule
from nova_ext.cloud_rules.scheduler import UnknownError
from nova_ext.core.explanation.text_format import format_hosts, pluralize
from nova_ext.core.rpc.boot_request import GROUP_POLICIES, MAX_SERVERS

KEY = 'fits'
_POLICY = 'with policy'
SCHEMA = {
    'type': 'object', 'required': ['flavor'], 'additionalProperties': False,
    'properties': {**NAME, **passes.SERVERS, KEY: {
        'type': 'string', 'pattern': quantity.TIMES,
        'description': quantity.HOW_TIMES,
    }, _POLICY: {
        'enum': list(GROUP_POLICIES),
        'description': f'write one of {", ".join(GROUP_POLICIES)}',
    }},
    'if': {'required': [_POLICY]},
    'then': {'properties': {KEY: {
        'pattern': '^at least ', 'description':
            'a group is tried as a whole: write "at least", such as '
            '"at least 5 times"',
    }}},
}


def judge(rule: CloudRule, cloud: JudgedCloud) -> str:
    """Return what is otherwise than the rule says; empty: nothing.

    :raises NovaExtError: it is not known.
    """
    fields, demanded = rule.fields, quantity.parse(rule.fields[KEY])
    if policy := fields.get(_POLICY):
        return _judge_group(cloud, fields, policy, demanded.number)
    capacity = cloud.scheduler.capacity(cloud.build_request(fields))
    decision = capacity['decision']
    if capacity['unknown']:
        raise UnknownError(
            decision['sentence'] if decision else 'deciding failed'
        )
    total = capacity['total']
    # Beyond what was tried, more may fit.
    most = float('inf') if capacity['bounded'] else total['most']
    holds = demanded.holds(total['least'], most)
    if holds:
        return ''
    why = capacity_text.summarize(capacity)
    if holds is None:
        raise UnknownError(why)
    if not total['most'] and decision:
        return f'{why}; {decision["sentence"]}'
    return why


def _judge_group(
    cloud: JudgedCloud, fields: Mapping[str, Any], policy: str, count: int
) -> str:
    """Place servers of a new group, and look where each went."""
    if not 0 < count <= MAX_SERVERS:
        raise UnknownError(
            f'a group of 1 to {MAX_SERVERS} servers can be tried'
        )
    explanation = cloud.scheduler.simulate(
        cloud.build_request(fields) | {'count': count}, {'new_group': policy}
    )
    decision = explanation['decision']
    chosen = [hosts[0] for hosts in decision['chosen'].values() if hosts]
    if explanation['outcome'] != 'placed':
        return str(explanation['sentence'])
    hosts = sorted(set(chosen))
    if (policy == 'anti-affinity' and len(hosts) < count) or (
        policy == 'affinity' and len(hosts) > 1
    ):
        return (
            f'no enabled filter keeps the policy: {pluralize(count, "server")}'
            f' would be on {pluralize(len(hosts), "host")}, '
            f'{format_hosts(hosts)}'
        )
    return ''
