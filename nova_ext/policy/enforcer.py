"""Enforce nova-ext's policy, with a policy file of its own."""

import contextlib
import logging
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

from cachetools.func import ttl_cache
from oslo_config import cfg
from oslo_policy import opts, policy

from nova_ext import conf as options
from nova_ext.core.base import errors
from nova_ext.policy import rules

options.register_group(cfg.CONF, 'nova_ext')

#: The namespace of our rules; others in the file serve as aliases.
_OURS = 'nova_ext:'
#: How oslo.policy writes a check that nobody passes, as of a rule that it
#: does not understand, and the check of another rule.
_NOBODY = '!'
_RULE = 'rule:'
#: Of those who register the rules of features.
_lock = threading.Lock()


def get_enforcer() -> policy.Enforcer:
    """Return the enforcer with all rules, for oslo.policy's tools."""
    enforcer = _get_enforcer()
    _add_features(enforcer)
    return enforcer


def validate() -> None:
    """Read the policy file now rather than at the first request.

    oslo.policy only logs a rule that it does not understand, and lets nobody
    pass it.

    :raises ConfigurationError: when the file can't be read, or has a rule
        that can't be meant so.
    """
    enforcer = _get_enforcer()
    try:
        with _silence_oslo():
            enforcer.load_rules(force_reload=True)
            if _list_unknown(enforcer):
                _add_features(enforcer)
            problem = _find_problem(enforcer)
    except (OSError, ValueError) as error:
        problem = ' '.join(str(error).split())
    except (AttributeError, TypeError):
        problem = 'no mapping of rules to texts'
    if problem:
        raise errors.ConfigurationError(
            '[nova_ext] policy_file', enforcer.policy_file, problem,
            'correct or remove the file',
        )


def _list_unknown(enforcer: policy.Enforcer) -> set[str]:
    """Return names of ours in the file that are not registered."""
    words = {
        word.removeprefix(_RULE) for rule in enforcer.file_rules
        for word in (rule, *_split(str(enforcer.rules[rule])))
    }
    return {
        word for word in words
        if word.startswith(_OURS) and word not in enforcer.registered_rules
    }


def _find_problem(enforcer: policy.Enforcer) -> str:
    """Return what is wrong with a rule of the file; empty if nothing is."""
    for name, rule in enforcer.file_rules.items():
        text, parsed = rule.check_str, _split(str(enforcer.rules[name]))
        if name.startswith(_OURS) and name not in enforcer.registered_rules:
            known = errors.suggest_names(name, enforcer.registered_rules)
            return f'there is no rule {name}; {known}'
        if isinstance(text, str) and (
            _split(text).count(_NOBODY) != parsed.count(_NOBODY)
            # oslo.policy before 5.0 keeps "not" as a text.
            or not callable(enforcer.rules[name])
        ):
            return f'{name} = {text!r} can\'t be parsed'
        for word in parsed:
            other = word.removeprefix(_RULE)
            if other != word and other not in enforcer.rules:
                known = errors.suggest_names(other, enforcer.rules)
                return (
                    f'{name} = {text!r} names the rule {other}, which is not '
                    f'defined; {known}'
                )
    if not enforcer.check_rules():
        return 'a rule names itself, perhaps through others'
    return ''


def _split(check: str) -> list[str]:
    """Return the words of a check, without its parentheses."""
    return [word.strip('()') for word in check.split()]


@contextlib.contextmanager
def _silence_oslo() -> Iterator[None]:
    """Keep oslo.policy from logging, with tracebacks, what is raised here."""
    log = logging.getLogger(policy.__name__.partition('.')[0])
    level = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(level)


def allows(rule: str, context: Any, project_id: str) -> bool:
    """Say whether a caller may do what a rule restricts.

    :param rule: name of a registered rule.
    :param context: the caller's oslo.context.
    :param project_id: the project of the server that it is about.
    :raises oslo_policy.policy.PolicyNotRegistered: for an unknown rule.
    """
    enforcer = _get_enforcer()
    if rule not in enforcer.registered_rules:
        _add_features(enforcer)
    allowed = enforcer.authorize(rule, {'project_id': project_id}, context)
    enforcer.use_conf = False  # or each check looks for a changed file
    return bool(allowed)


def _add_features(enforcer: policy.Enforcer) -> None:
    """Register the rules of features, such as zones.

    A scheduler needs none of them, unless its policy file names one.
    """
    from nova_ext.core.base.entry_points import list_points

    with _lock:
        for point in list_points('oslo.policy.policies'):
            if point.name.startswith('nova_ext.'):
                for default in point.load()():
                    if default.name not in enforcer.registered_rules:
                        enforcer.register_default(default)
        enforcer.load_rules(force_reload=True)


def _get_enforcer() -> policy.Enforcer:
    return _find_enforcer(cfg.CONF.nova_ext.policy_file)


@ttl_cache(ttl=1)  # a changed file is noticed after a second
def _find_enforcer(name: str) -> policy.Enforcer:
    enforcer = _enforcer(cfg.CONF.find_file(name) or name)
    enforcer.use_conf = True  # it looks for a changed file at the next check
    return enforcer


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
