"""Hold the parts of the plugin contract that ``nova_ext/plugin.py`` names.

Authors import them from ``nova_ext/plugin.py``. The scheduler, the lab
and ``testing.py`` import them from here. Begin with ``answers.py``, what
filters and drivers return, and with ``facts.py`` for what the scheduler
hands to both.
"""
