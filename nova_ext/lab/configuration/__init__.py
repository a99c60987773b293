"""Write nova.conf and what else the processes of a lab read.

The lab's packages above it and ``cmd/arguments.py`` import it. Begin with
``nova_config.py``.
"""
