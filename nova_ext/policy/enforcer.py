"""Enforce nova-ext's policy, with a policy file of its own."""

from functools import cache
from typing import Any

from oslo_config import cfg
from oslo_policy import opts, policy

from nova_ext import conf as options
from nova_ext.core.base import errors
from nova_ext.policy import rules


def get_enforcer() -> policy.Enforcer:
    """Return the enforcer of this process, also for oslo.policy's tools."""
    options.register_opts(cfg.CONF)
    name = cfg.CONF.nova_ext.policy_file
    return _enforcer(cfg.CONF.find_file(name) or name)


def validate() -> None:
    """Read the policy file now rather than at the first request.

    :raises ConfigurationError: when the file can't be read.
    """
    enforcer = get_enforcer()
    try:
        enforcer.load_rules(force_reload=True)
    except (OSError, ValueError) as error:
        raise errors.ConfigurationError(
            '[nova_ext] policy_file', enforcer.policy_file,
            ' '.join(str(error).split()), 'correct or remove the file',
        ) from error


def allows(rule: str, context: Any, project_id: str) -> bool:
    """Say whether a caller may do what a rule restricts.

    :param rule: name of a registered rule.
    :param context: the caller's oslo.context.
    :param project_id: the project of the server that it is about.
    :raises oslo_policy.policy.PolicyNotRegistered: for an unknown rule.
    """
    enforcer = get_enforcer()
    return bool(
        enforcer.authorize(rule, {'project_id': project_id}, context)
    )


@cache
def _enforcer(policy_file: str) -> policy.Enforcer:
    # A configuration of its own keeps Nova's policy file and policy.d out.
    private = cfg.ConfigOpts()
    private([], project='nova_ext', default_config_files=[],
            default_config_dirs=[])
    opts.set_defaults(private, policy_file=policy_file)
    private.set_override('policy_dirs', [], group='oslo_policy')
    enforcer = policy.Enforcer(private, policy_file=policy_file)
    enforcer.register_defaults(rules.list_rules())
    return enforcer
