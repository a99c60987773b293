"""Ask zones for offers: this zone's own schedulers, and its child zones.

The API and nova-ext-builder import it. Begin with ``offer.py`` for what an
offer and a zone's answer are, and with ``gathering.py``: it asks all zones
side by side, and merges what they answer. ``own_offers.py`` asks this zone's
schedulers, ``own_cloud.py`` finds the flavor and the image here,
``child_offers.py`` asks child zones, and ``child_answer.py`` reads what they
answer.
"""
