"""Make decisions of a journal again, without a cloud.

``nova_ext/replay`` imports it, in processes of its own. Begin with
``replayer.py``. ``journal_stage.py`` sets the stage for decisions as they
stood, ``rolling/`` for the day as it would have gone. ``imported.py`` writes a
journal of tables.
"""
