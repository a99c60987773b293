"""Define the JSON schemas of zones' requests and answers.

They are made of ``nova_ext.api.schemas.parts``. Begin with ``zones.py``.
"""

from nova_ext.zones.schemas import builds, items, offers, orphans, zones

__all__ = ('builds', 'items', 'offers', 'orphans', 'zones')
