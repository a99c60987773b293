"""Know Nova's filters, weighers and options, release by release.

Plain tables that need no Nova. ``lint``, ``scheduler``, ``lab``,
``scaffold``, ``doctor``, ``cloud_rules`` and ``zones`` import it. Begin with
``plugins_and_options.py``; ``scheduler_options.py`` has the options,
``removed_names.py`` what old guides still name.
"""
