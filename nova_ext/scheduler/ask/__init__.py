"""Ask what a decision would be: a cycle with other effects than a boot's.

``simulate`` decides and does nothing, ``offers`` chooses a zone's slots,
``launch`` chooses hosts for servers that it then creates. ``request_spec.py``
makes the request spec for all of them. ``rpc``, ``manager.py`` and the lab
import it.
"""
