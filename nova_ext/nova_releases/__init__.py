"""Know Nova's filters, weighers and options, release by release.

Plain tables that need no Nova. Lint, the scheduler, the lab and scaffold
import it. Begin with ``plugins_and_options.py``; ``scheduler_options.py`` has
the options, ``removed_names.py`` what old guides still name.
"""
