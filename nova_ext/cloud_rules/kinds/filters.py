"""Judge which filters are enabled."""

from nova_ext.cloud_rules.cloud import JudgedCloud
from nova_ext.cloud_rules.rules_file import NAME, CloudRule
from nova_ext.core.explanation.text_format import sanitize

KEY = 'enabled filters include'
SCHEMA = {
    'type': 'object', 'additionalProperties': False,
    'properties': {**NAME, KEY: {
        'type': 'array', 'minItems': 1, 'items': {'type': 'string'},
        'description': 'write a list of names, such as [ComputeFilter]',
    }},
}


def judge(rule: CloudRule, cloud: JudgedCloud) -> str:
    """Return what is otherwise than the rule says; empty: nothing."""
    enabled = cloud.scheduler.list_filters()
    missing = [name for name in rule.fields[KEY] if name not in enabled]
    if not missing:
        return ''
    return sanitize(
        f'{" and ".join(missing)} {"is" if len(missing) == 1 else "are"} not '
        f'enabled; enabled: {", ".join(enabled) or "none"}'
    )
