"""Read facts about the cloud from Nova's databases and from reports.

Plugins get them through ``core/plugin/injected.py``. The scheduler's other
sub-packages import it. Begin with ``nova_facts.py``.
"""
