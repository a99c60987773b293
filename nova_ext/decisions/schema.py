"""Tell the database which tables decisions have."""

from nova_ext.database.schema import Schema
from nova_ext.decisions import queries

SCHEMA = Schema('decisions', 'nova_ext.decisions', queries.purge)
