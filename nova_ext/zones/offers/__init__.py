"""Ask zones for offers: this zone's own schedulers, and its child zones.

The API and nova-ext-builder import it. Begin with ``gathering.py``: it asks
all side by side, and merges what they answer. ``own_offers.py`` asks this
zone's schedulers, ``matching.py`` finds the flavor and the image here,
``child_answer.py`` reads what a child zone answers.
"""
