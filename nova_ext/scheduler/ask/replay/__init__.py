"""Make decisions of a journal again, without a cloud.

``nova_ext/replay`` imports it, in processes of its own. Begin with
``replayer.py``. ``recorded_stage.py`` is for decisions as they stood,
``rolling_stage.py`` for the day as it would have gone: ``imported_day.py`` and
``recorded_day.py`` know the cloud between its decisions.
"""
