"""Decisions of all kinds."""

import string

from hypothesis import strategies as st

from nova_ext.core.decision import decision as d

WORDS = st.text(string.ascii_letters, min_size=1, max_size=8)
NAMES = [f'h{n}' for n in range(8)]
OUTCOMES = (d.PLACED, d.PASSED, d.NO_VALID_HOST, d.FAILED, '')


@st.composite
def consistent(draw):
    """Draw a decision of nova-ext-scheduler, or of a stock one's filters."""
    left = draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1))
    attempts, chosen, claims = [], {}, []
    servers = [f's{n}' for n in range(draw(st.integers(1, 3)))]
    for index, server in enumerate(servers):
        attempt, left = draw(_attempt(server, index, left))
        attempts.append(attempt)
        refused = draw(st.integers(0, len(left)))
        claims += [
            d.ClaimResult(server, host, False) for host in left[:refused]
        ]
        if refused == len(left):
            break
        claims.append(d.ClaimResult(server, left[refused], True))
        chosen[server] = left[refused:][:3]
    whole = len(chosen) == len(servers)
    decision = d.Decision(
        'now', 'req', servers, attempts=attempts, claims=claims,
        chosen=chosen if whole else {},
        outcome=d.PLACED if whole else d.NO_VALID_HOST,
        placement=d.Placement('', attempts[0].hosts_in),
    )
    if draw(st.booleans()):
        absent = draw(st.integers(0, 5))
        decision.absent = d.Rejection('absent', absent, NAMES[:absent])
        decision.hosts_total = attempts[0].hosts_in + absent
        for reason in draw(st.lists(WORDS, max_size=2)):
            decision.kept_out.append(d.Rejection(reason, 1, NAMES[:1]))
            decision.hosts_total += 1
    return decision


@st.composite
def _attempt(draw, server, index, left):
    attempt = d.Attempt(server, index, len(left))
    for name in draw(st.lists(WORDS, max_size=4)):
        gone = [
            (host, draw(st.sampled_from(['', 'why', f'near {host}'])))
            for host in left if draw(st.integers(0, 3)) == 0
        ]
        kind = draw(st.sampled_from(['filter', 'driver', 'request']))
        before, lost = len(left), {host for host, _ in gone}
        left = [host for host in left if host not in lost]
        attempt.steps.append(
            d.Step(name, kind, before, len(left), d.group_rejections(gone))
        )
    attempt.ranked, attempt.ranked_count = left[:2], len(left)
    return attempt, left


def anything(words=WORDS):
    """Any decision that has the types of one."""
    count = st.integers(-3, 12)
    hosts = st.lists(words, max_size=2)
    rejection = st.builds(
        d.Rejection, words, count, hosts,
        st.dictionaries(words, words, max_size=2),
    )
    step = st.builds(
        d.Step, words, st.sampled_from(['filter', 'driver', 'request', 'x']),
        count, count, st.lists(rejection, max_size=2),
    )
    weights = st.dictionaries(
        words, st.floats(allow_nan=False, allow_infinity=False), max_size=2
    )
    bound = st.none() | st.floats(-9, 9)
    weighing = st.builds(
        d.Weighing, words, weights, weights, bound, bound, hosts
    )
    server = st.sampled_from(['s0', 's1', ''])
    draw = st.builds(
        d.Draw, hosts, count, st.none() | count, count, count, st.booleans()
    )
    attempt = st.builds(
        d.Attempt, server, st.integers(0, 2), count,
        st.lists(step, max_size=2), st.lists(weighing, max_size=1), hosts,
        count, count, st.none() | draw, st.none() | hosts,
    )
    return st.builds(
        d.Decision, words, words, st.lists(server, max_size=2, unique=True),
        operation=words,
        request=st.dictionaries(
            words | st.sampled_from(['requested_host', 'requested_node']),
            words | hosts, max_size=2,
        ),
        placement=st.none() | st.builds(d.Placement, words, count, count),
        hosts_total=st.none() | count,
        absent=st.none() | rejection,
        kept_out=st.lists(rejection, max_size=2),
        attempts=st.lists(attempt, max_size=2),
        claims=st.lists(
            st.builds(d.ClaimResult, server, words, st.booleans()), max_size=2
        ),
        chosen=st.dictionaries(server, hosts, max_size=2),
        outcome=st.sampled_from(OUTCOMES),
        message=words,
        stages=st.dictionaries(words, st.floats(0, 9), max_size=2),
    )
