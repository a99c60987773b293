"""Claim what the mirror decided, and keep what it has not read yet.

``mirrored_client`` stands before Nova's placement client; ``first_claims``
claims for new servers; ``claims`` keeps them until they were read. The mirror
alone imports it. Begin at ``mirrored_client``.
"""
