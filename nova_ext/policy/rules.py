"""Who may do what, as oslo.policy defaults."""

from oslo_policy import policy

REQUESTED_HOST = 'nova_ext:requested_host'
STATS_HINT = 'nova_ext:stats_hint'

_RULES = [
    policy.DocumentedRuleDefault(
        name=REQUESTED_HOST,
        check_str='role:admin or '
        '(role:manager and project_id:%(project_id)s)',
        description="""
Name the host of a new server with the ``requested_host`` scheduler hint. One
who may not gets the answer that a host which doesn't exist would give.
""",
        operations=[{'method': 'POST', 'path': '/servers'}],
        scope_types=['project'],
    ),
    policy.DocumentedRuleDefault(
        name=STATS_HINT,
        check_str='role:admin or '
        '(role:manager and project_id:%(project_id)s)',
        description="""
Ask for stats of a new server's host with ``stats:`` scheduler hints, from
which a user can learn how hosts are doing. Extra specs of flavors need no
rule but Nova's own.
""",
        operations=[{'method': 'POST', 'path': '/servers'}],
        scope_types=['project'],
    ),
]


def list_rules() -> list[policy.DocumentedRuleDefault]:
    """All rules, for oslo.policy's generators and our enforcer."""
    return list(_RULES)
