"""Who may do what, as oslo.policy defaults."""

from oslo_policy import policy

REQUESTED_HOST = 'nova_ext:requested_host'

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
]


def list_rules() -> list[policy.DocumentedRuleDefault]:
    """All rules, for oslo.policy's generators and our enforcer."""
    return list(_RULES)
