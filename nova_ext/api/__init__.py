"""The REST API: why, what if, how many. It imports no Nova.

``operations`` has all of it on one screen; each operation names its handler,
its policy and its JSON schemas, from which the OpenAPI document is made.
"""
