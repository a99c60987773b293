"""Hold what every part of the scheduler stands on.

``options.py`` is nova-ext's options in Nova's configuration.
``best_effort.py`` keeps recording from failing a boot. Every sub-package of
the scheduler may import it; it imports none of them.
"""
