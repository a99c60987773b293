"""Try a plain file in a running lab, without a restart.

``trial_manager.py`` and ``trial.py`` run in the lab's scheduler and nowhere
else; ``verdicts.py`` asks them from the command. ``cli`` imports it.
"""
