"""Dataclasses as plain data, and back."""

from dataclasses import dataclass, field

import testtools

from nova_ext.core.base import plain_data


@dataclass
class Leaf:
    """Represent a part."""

    name: str
    weight: float = 0.0


@dataclass
class Tree:
    """Represent a whole, with every kind of field."""

    leaves: list[Leaf] = field(default_factory=list)
    ages: dict[str, int] = field(default_factory=dict)
    best: Leaf | None = None


class PlainDataTest(testtools.TestCase):
    """Dump data, and load it again."""

    def test_there_and_back(self):
        """Nothing is lost, and what is at its default is not written."""
        tree = Tree([Leaf('a'), Leaf('b', 1.5)], {'c': 2}, Leaf('b', 1.5))
        data = plain_data.dump_sparse(tree)
        self.assertEqual({
            'leaves': [{'name': 'a'}, {'name': 'b', 'weight': 1.5}],
            'ages': {'c': 2}, 'best': {'name': 'b', 'weight': 1.5},
        }, data)
        self.assertEqual(tree, plain_data.load(Tree, data))
        self.assertEqual({}, plain_data.dump_sparse(Tree()))

    def test_fields_of_later_versions(self):
        """They are ignored, or refused where they must not be."""
        leaf = {'name': 'a', 'weight': 2, 'colour': 'green'}
        self.assertEqual(Leaf('a', 2), plain_data.load(Leaf, leaf))
        error = self.assertRaises(
            TypeError, plain_data.load, Tree, {'leaves': [leaf]}, strict=True
        )
        self.assertEqual('Leaf has no colour', str(error))

    def test_other_types(self):
        """Wherever they are, they are refused."""
        for data in (
            [], {'leaves': 'a'}, {'leaves': [7]}, {'ages': {'c': 'old'}},
            {'leaves': [{}]}, {'best': [1]},
        ):
            self.assertRaises(TypeError, plain_data.load, Tree, data)
