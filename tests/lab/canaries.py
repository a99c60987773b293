"""Search for secrets that were planted, in every form in which they travel."""

import base64
import json
from urllib import parse

import psutil


def list_forms(secret):
    """Return a secret as it is sent and stored: plain, encoded, quoted."""
    plain = secret.encode()
    # Base64 of three bytes at a time: whatever stands before the secret.
    coded = {
        base64.b64encode(b'x' * shift + plain)[4:-4] for shift in range(3)
    }
    return {
        plain, parse.quote(secret, safe='').encode(), plain.hex().encode(),
        json.dumps(secret)[1:-1].encode(), *coded,
    }


def is_in(secret, content):
    """Say whether a secret stands in bytes, in any form."""
    return any(form in content for form in list_forms(secret))


def search_files(secrets, paths):
    """Return pairs of a secret's name and a file that holds it.

    :param secrets: by name.
    """
    return {
        (name, path.name) for path in paths
        for name, secret in secrets.items()
        if is_in(secret, path.read_bytes())
    }


def search_processes(secrets, processes):
    """Return pairs of a secret's name and what of a process shows it."""
    found = set()
    for process in processes:
        try:
            shown = {
                'cmdline': '\0'.join(process.cmdline()),
                'environ': json.dumps(process.environ()),
            }
        except psutil.Error:
            continue
        found |= {
            (name, where) for where, text in shown.items()
            for name, secret in secrets.items()
            if is_in(secret, text.encode())
        }
    return found
