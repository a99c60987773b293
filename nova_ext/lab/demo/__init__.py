"""Show in a lab what nova-ext does, with the commands of its users.

``cli`` imports it. Begin with ``placement.py``; ``show.py`` runs commands.
"""
