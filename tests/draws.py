"""Draws, made again."""

import random


def place_drawn(draw):
    """The place of the first host, as the documentation draws it again."""
    chance = random.Random(draw.seed)  # noqa: S311  not a secret
    places = list(range(draw.count))
    mixed = places[:draw.shuffled]
    chance.shuffle(mixed)
    places[:draw.shuffled] = mixed
    return chance.choice(places[:draw.subset_size])
