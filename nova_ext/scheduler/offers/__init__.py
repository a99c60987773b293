"""Offer slots of this zone's hosts: filter, cost, deplete, sign.

``manager.py`` hands it to the driver of topic ``zone``. Begin with
``offerer.py``; ``slots.py`` decides. ``launch`` signs its hosts with
``offer_signing.py``, too.
"""
