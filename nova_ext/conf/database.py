"""Group [nova_ext_database]: where decisions of all schedulers are kept."""

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
The database, as SQLAlchemy writes it:
``mysql+pymysql://nova_ext:PASSWORD@HOST/nova_ext?charset=utf8mb4``, for
instance. One of its own, not Nova's. Unset: the records stay on their hosts.
""",
    ),
]
