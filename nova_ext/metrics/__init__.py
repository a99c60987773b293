"""Count the record's decisions for Prometheus.

The only package that imports prometheus_client. ``cmd/exporter.py`` starts
it. Begin with ``exporter.py``.
"""
