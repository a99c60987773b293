"""Have Keystone make the trusts of builds, for requests of their users."""

import logging
import time

from keystoneauth1 import exceptions as keystone

from nova_ext.api.http import errors
from nova_ext.api.http.request import Request
from nova_ext.zones import states
from nova_ext.zones.builds import trusts
from nova_ext.zones.tables.models import Build

LOG = logging.getLogger(__name__)


class NoTrustError(errors.HttpError):
    """Report that Keystone refuses a trust."""


def make_trust(request: Request, ends_at: int) -> str | None:
    """Return a trust; None: this zone's own hosts can't be used."""
    try:
        return insist_on_trust(request, ends_at)
    except NoTrustError:
        return None


def insist_on_trust(request: Request, ends_at: int) -> str:
    """Return a trust.

    :param ends_at: of the build, in seconds since 1970, UTC.
    :raises HttpError: saying why Keystone makes none.
    """
    try:
        return trusts.create_trust(request.auth, ends_at)
    except trusts.TrustRefusedError as error:
        raise NoTrustError(409, 'no_trust', str(error)) from error
    except trusts.KeystoneSilentError as error:
        raise errors.HttpError(503, 'identity_silent', str(error)) from error


def needs_trust(build: Build) -> bool:
    """Return whether deleting servers of this zone needs a new trust.

    One that was made for the time of the build is about to expire after it.
    """
    is_usable = build.trust_id is not None and (
        build.state == states.DELETING or time.time() < build.ends_at
    )
    return not is_usable and any(
        item.child_uuid is None and item.state not in states.ENDED
        for item in build.items
    )


def end_trust(trust_id: str) -> None:
    """Delete a trust that nothing needs; otherwise it expires."""
    try:
        trusts.delete_trust(trust_id)
    except keystone.ClientException as error:
        LOG.warning('a trust is not deleted, and expires: %s',
                    type(error).__name__)
