"""Answer requests about zones, offers, items and builds.

``operations.py`` lists them; an entry point names it to nova-ext-api. Each
names its handler, its policy and its JSON schemas.
"""
