"""Try a plain file in a running lab.

``trial.py`` runs in the lab's scheduler and nowhere else. ``verdicts.py``
asks it from the command, through ``trial_socket.py``. ``cli`` imports it.
"""
