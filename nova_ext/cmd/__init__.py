"""Start the programs and commands of nova-ext, one a file.

Entry points name them; nothing imports them. Begin with ``main.py``.
"""
