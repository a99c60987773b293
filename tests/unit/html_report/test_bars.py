"""Test the bars of what each weigher added."""

import testtools

from nova_ext.core.decision import decision as d
from nova_ext.html_report.bars import WIDTH, draw_bars
from tests.unit.core.explanation.test_explain import attempt


def weighing(name, multiplier, **weights):
    """Return a weigher, its bounds 0 and 1."""
    return d.Weighing(
        name, weights, dict.fromkeys(weights, multiplier), 0.0, 1.0
    )


class BarsTest(testtools.TestCase):
    """Draw parts side by side."""

    def test_sides(self):
        """Draw positive parts right of zero, negative ones left."""
        drawn = draw_bars(attempt(
            2, ranked=['a', 'b'], weighers=[
                weighing('One', 2.0, a=1.0, b=0.5),
                weighing('Nothing', 1.0, a=0.0, b=0.0),
                weighing('Two', -1.0, a=0.0, b=1.0),
                weighing('Three', 1.0, a=1.0, b=0.0),
            ],
        ))
        self.assertEqual(['One', 'Two', 'Three'], drawn.legend)
        self.assertEqual(WIDTH / 4, drawn.zero)
        self.assertEqual(
            [
                ('a', 3.0, [(0, 250.0, 500.0), (2, 750.0, 250.0)]),
                ('b', 0.0, [(0, 250.0, 250.0), (1, 0.0, 250.0)]),
            ],
            [
                (bar.host, bar.total,
                 [(part.colour, part.x, part.width) for part in bar.parts])
                for bar in drawn.bars
            ],
        )

    def test_nothing_weighed(self):
        """Draw no bars without an attempt, or for a single host."""
        self.assertEqual([], draw_bars(None).bars)
        self.assertEqual([], draw_bars(attempt(1, ranked=['a'])).bars)

    def test_all_equal(self):
        """Draw bars without parts where all weights are equal."""
        drawn = draw_bars(attempt(2, ranked=['a'], weighers=[
            weighing('One', 1.0, a=0.0),
        ]))
        self.assertEqual([], drawn.legend)
        self.assertEqual([[]], [bar.parts for bar in drawn.bars])
