"""What is wrong with a scheduler's configuration, before the restart.

Reads the files as their deployment merges them and the plugins' source
text. It needs neither a cloud nor Nova, and runs no plugin's code unless
asked to. ``linting.py`` is the door, ``checks/`` holds the checks.
"""
