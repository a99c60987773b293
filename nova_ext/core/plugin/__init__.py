"""Hold the parts of the plugin contract that ``core/extension.py`` names.

Authors import them from ``core/extension.py``. The scheduler, bench, the lab
and ``testing.py`` import them from here. Begin with ``answers.py``, what
filters and drivers return, and with ``injected.py`` for what the scheduler
hands to both.
"""
