"""Store the decisions of all schedulers, and find them again.

nova-ext-shipper fills the tables, the API reads them. Begin with
``queries.py``; ``shadow_reports.py`` has what shadows make of the decisions.
``schema.py`` is what the database knows of them.
"""
