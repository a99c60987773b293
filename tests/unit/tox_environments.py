"""The environments of tox.ini."""

import configparser
import itertools
import re
from pathlib import Path

_TOX = Path(__file__).parents[2] / 'tox.ini'


def names():
    """Their names, ``{a,b}-{c,d}`` spelt out."""
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(_TOX.read_text())
    found = {'py3', 'py311', 'py312', 'py313'}  # made of [testenv]
    for section in parser.sections():
        parts = re.split(r'\{(.*?)\}', section.removeprefix('testenv:'))
        found.update(map(''.join, itertools.product(
            *(part.split(',') for part in parts)
        )))
    return found
