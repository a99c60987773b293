"""Declare group [nova_ext_database]: decisions of schedulers, and zones."""

from oslo_config import cfg

GROUP = cfg.OptGroup(
    'nova_ext_database',
    title='Database of decisions and zones',
    help='The database of nova-ext-shipper, which stores records in it, '
         'and of nova-ext-api, which stores child zones in it.',
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
