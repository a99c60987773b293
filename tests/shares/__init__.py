"""Measure which share of requests the mirror leaves to Nova.

``mix.yaml`` is the mix of requests, ``deployers.py`` what deployers configure,
``clouds.py`` a cloud that is asked. Run it with ``python -m tests.shares``.
"""

import tests.functional  # noqa: F401  chooses threads before Nova is imported
