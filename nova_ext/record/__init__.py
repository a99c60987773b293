"""Write, read and search the record of decisions, a file of JSON lines.

The scheduler writes it; commands, the shipper, doctor, metrics and the lab
read it. It imports core and conf, and no Nova. Begin with ``writer.py`` for
the way in and with ``reader.py`` for the way out.
"""
