"""Tell the database which tables zones have, and what of them is purged."""

import datetime

from sqlalchemy.orm import Session

from nova_ext.database.schema import Schema
from nova_ext.zones.tables import builds, held_offers


def purge(session: Session, before: datetime.datetime) -> int:
    """Delete expired offers, builds that are over, and received items.

    :param before: time in UTC before which builds and items changed last.
    :returns: the number of builds and items.
    """
    now = datetime.datetime.now(datetime.UTC)
    held_offers.purge(session, int(now.timestamp()))
    return builds.purge(session, before.isoformat())


SCHEMA = Schema('zones', 'nova_ext.zones.tables', purge)
