"""What placement told of a request later, when it was asked again."""

from collections.abc import Callable
from dataclasses import dataclass, field

from nova_ext.core.decision import placement_query as q

#: Questions that one finding may take; further parts are not asked about.
QUESTIONS = 20

#: Whether placement has a candidate for a query; None: it did not say.
Ask = Callable[[str], bool | None]


@dataclass
class AskedAgain:
    """What placement answered when it was asked otherwise.

    Where it had offered no host, with demands left out; where it had offered
    as many candidates as the limit lets through, for more of them.

    :param at: when, UTC, ISO 8601 with milliseconds.
    :param query: the query, without its limit.
    :param offers: there is a candidate for the whole query by now.
    :param without: parts without any one of which there is a candidate.
    :param alone: resources of which no host has enough, even alone; asked
        only where no single part stands in the way.
    :param rest: there is a candidate for the resources, without any of the
        traits, aggregates and providers; asked only after those.
    :param candidates: hosts with a candidate, where it was asked for more;
        None where it was not.
    :param hosts: their names, perhaps not all; a decision that this was added
        to has used them.
    :param bounded: there may be more than these candidates.
    """

    at: str
    query: str
    offers: bool = False
    without: list[str] = field(default_factory=list)
    alone: list[str] = field(default_factory=list)
    rest: bool = False
    candidates: int | None = None
    hosts: list[str] = field(default_factory=list)
    bounded: bool = False

    @property
    def asked_for_more(self) -> bool:
        """Whether it was asked for more candidates."""
        return self.candidates is not None

    def sentence(self, since: str) -> str:
        """What it comes to; empty where it tells nothing.

        :param since: the decision's time; another day is told as such.
        """
        day, time = self.at[:10], self.at[11:19]
        other = '' if since[:10] == day else f'{day} '
        when = f'asked again at {other}{time} UTC'
        if self.candidates is not None:
            hosts = 'host' if self.candidates == 1 else 'hosts'
            more = ' or more' if self.bounded else ''
            return (
                f'{when} for more, placement offers {self.candidates or "no"} '
                f'{hosts}{more}'
            )
        asked = f'{when}, placement offers a host'
        if self.offers:
            return asked
        if self.without:
            return f'{asked} without {" or without ".join(self.without)}'
        if self.alone:
            return f'{when}, no host has {" nor ".join(self.alone)} free'
        if self.rest:
            return f'{asked} without its traits and aggregates together'
        return ''


def find_out(at: str, query: str, parts: list[q.Part], ask: Ask) -> AskedAgain:
    """Ask with parts left out, one question after the other.

    :param at: the time now.
    :param query: what placement was asked, with whatever limit.
    :param parts: the query's.
    """
    found = AskedAgain(at, q.shape(query))
    found.offers = bool(ask(q.first_one(query)))
    if found.offers:
        return found
    left = QUESTIONS - 2  # the first one, and the last
    for part in parts[:left]:
        if part.without is not None and ask(part.without):
            found.without.append(part.words)
    left -= len(parts)
    if found.without:
        return found
    for part in parts[:max(0, left)]:
        if part.alone is not None and ask(part.alone) is False:
            found.alone.append(part.words)
    if not found.alone:
        found.rest = bool(ask(q.resources_alone(query)))
    return found
