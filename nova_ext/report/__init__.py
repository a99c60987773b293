"""Write an archive for a bug report, without secrets or names.

``cmd/report.py`` imports it. Begin with ``contents.py``; ``scrub.py`` takes
out what must not leave a site.
"""
