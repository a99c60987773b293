"""Declare group [nova_ext_database]: the decisions of all schedulers."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_database',
    title='Database of decisions',
    help='The database into which nova-ext-shipper puts the records.',
)

OPTS = [
    cfg.StrOpt(
        'connection',
        secret=True,
        help="""
URL of the database, as SQLAlchemy writes it, such as
``mysql+pymysql://nova_ext:PASSWORD@HOST/nova_ext?charset=utf8mb4``. Use a
database of its own, not Nova's. Unset, the records stay on their hosts.
""",
    ),
]
