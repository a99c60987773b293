"""Claim what the mirror decided, and keep what it has not read yet.

``mirrored_client`` stands before Nova's placement client. ``claim_sender``
claims for new servers, by ``first_claims``. ``ledger`` keeps claims until they
were read; ``claim`` has their states. ``mirror``, ``what_if`` and ``rpc``
import it. Begin at ``mirrored_client``.
"""
