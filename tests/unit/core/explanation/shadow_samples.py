"""Make up what a shadow has written."""

import json

AT = '2026-01-31T08:05:12+00:00'
#: The same in seconds since 1970.
AT_S = 1769846712.0


def tally(**fields):
    """Return the fields of a shadow that moved one of two requests."""
    return {
        'name': 'host_subset_size=2', 'change': {'options': ['hidden']},
        'since': AT_S - 600, 'version': 1, 'updated': AT, 'end': '',
        'transitions': {'same': 1, 'other_host': 1},
        'exactness': {'exact': 2}, 'verified': {'exact': 2},
        'unverified': '', 'skipped': [], 'left_out': [],
        'causes': [{
            'transition': 'other_host', 'cause': 'the draw', 'count': 1,
            'examples': ['req-1'],
        }],
        'hosts': {
            'cmp-1': {'lost': 0, 'left': 1, 'reached': 0, 'used': 0.5,
                      'of': 'memory', 'examples': ['req-1']},
            'cmp-2': {'lost': 0, 'left': 0, 'reached': 1, 'used': 0.75,
                      'of': 'processors', 'examples': ['req-1']},
        },
        'decisions': {}, 'positions': {'a.journal': 2}, **fields,
    }


def text(**fields):
    """Return the text of a shadow's file."""
    return json.dumps(tally(**fields))
