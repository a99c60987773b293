"""The devstack plugin, without a devstack or on the functions of a real one.

A *machine* is a folder that stands for the computer: its units, its nova.conf
and what runs. ``DEVSTACK_DIR`` names a checkout of devstack whose functions
are then used in place of doubles.
"""
