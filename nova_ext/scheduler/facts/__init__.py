"""Read facts about the cloud from Nova's databases and from reports.

Plugins get them through ``core/plugin/facts.py``. The rest of the
scheduler and the lab import it. Begin with ``nova_facts.py``.
"""
