"""Read why placement refused a query or a claim, in its own words."""

import json
import re

#: Letters of a refusal that are kept.
MAX_LETTERS = 500
#: What placement says of a claim for which there is no room any more.
_NO_ROOM = 'would exceed the capacity'
#: What is the same for each claim, or names the host that is named anyway.
_NEEDLESS = re.compile(
    r'Unable to allocate inventory(?: for consumer \S+)?: |'
    r' on resource provider \'[^\']*\''
)
#: What placement says of a query, and quotes traits and resource classes at
#: most. Other words of it, or of a proxy, may quote aggregates and providers.
_NAMELESS = re.compile(r'|'.join((
    r'No such trait\(s\): [A-Z0-9_, ]+\.',
    r'Invalid resource class in resources parameter: '
    r'No such resource class [A-Z0-9_]+\.',
    r'Conflicting required and forbidden traits found in the following '
    r'traits keys: [\w(),: -]+',
    r'The "group_policy" parameter is required when specifying more than one '
    r'"resources\{N\}" parameter\.',
)))


def parse_claim_refusal(status: int, text: str) -> str:
    """Return placement's words for a claim that it refused.

    :param status: see :func:`parse_refusal`, as for text.
    :returns: empty also where the room was used up.
    """
    words = parse_refusal(status, text)
    return '' if _NO_ROOM in words else _NEEDLESS.sub('', words)


def parse_refusal(status: int, text: str) -> str:
    """Return placement's words for a query that it refused.

    :param status: of its answer.
    :param text: its body: JSON as the API's guideline for errors has it.
    :returns: status and words; empty where the status is none of a refusal,
        but of an outage.
    """
    if not 400 <= status < 500:
        return ''
    try:
        error = json.loads(text)['errors'][0]
        words = str(error.get('detail') or error.get('title') or '')
    except (ValueError, TypeError, LookupError, AttributeError):
        words = ''
    # What webob says of any bad request stands before an empty line.
    last = words.strip().rpartition('\n\n')[2]
    return f'{status}: {" ".join(last.split())[:MAX_LETTERS]}'.rstrip(': ')


def redact_refusal(refusal: str, withheld: str) -> str:
    """Return a refusal as members of a project read it.

    They read its words if these can name no aggregate and no provider.

    :param refusal: as :func:`parse_refusal` returns it.
    :param withheld: stands for other words.
    """
    status, separator, words = refusal.partition(': ')
    if not separator or _NAMELESS.fullmatch(words):
        return refusal
    return f'{status}: {withheld}'
