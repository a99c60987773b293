"""Try a plain file in a running lab.

``trial.py`` decides, and imports Nova. ``cli`` imports ``verdicts.py``.
"""
