"""An explanation in a terminal: a sentence, a table, and notes."""

from collections.abc import Mapping, Sequence
from typing import Any

from cliff import lister

from nova_ext.core.explanation import serialized

#: Of a list of decisions.
ALL_COLUMNS = ('At', 'Request', 'Operation', 'Outcome', 'Explanation')

#: Formats that hold everything there is to say, and not the table alone.
WHOLE = ('json', 'shell', 'yaml')


class ExplanationLister(lister.Lister):
    """A command whose table stands between a sentence and notes."""

    #: Set by take_action(), for what stands around the table.
    sentence = ''
    notes: Sequence[str] = ()
    whole: Mapping[str, Any] | None = None

    def explanation(
        self, told: Mapping[str, Any], after: Sequence[str], *,
        weights: bool,
    ) -> tuple[Sequence[str], list[Any]]:
        """Have an explanation printed.

        :param told: as :func:`nova_ext.core.explanation.serialized.plain` returns it.
        :param after: what else is known: what came of the server after the
            scheduler, what a simulation compares with and lacks.
        :param weights: list what weighers said in place of what became of
            the hosts.
        :returns: what take_action() returns.
        """
        self.sentence = told['sentence']
        self.notes = [*after, *told['notes']]
        self.whole = {**told, 'notes': self.notes, 'after': list(after)}
        if weights:
            return serialized.WEIGHT_COLUMNS, serialized.weight_table(told)
        return serialized.COLUMNS, serialized.table(told)

    def produce_output(
        self, parsed_args: Any, column_names: Sequence[str], data: Any
    ) -> int:
        """The table between its sentence and its notes, or the whole."""
        out = self.app.stdout
        if self.whole and parsed_args.formatter in WHOLE:
            names, _ = self._generate_columns_and_selector(
                parsed_args, list(self.whole)
            )
            self.formatter.emit_one(  # type: ignore[attr-defined]
                names, [self.whole[name] for name in names], out, parsed_args
            )
            return 0
        rows = list(data)
        if parsed_args.formatter != 'table':
            return super().produce_output(parsed_args, column_names, rows)
        if self.sentence:
            print(self.sentence, file=out)
        if rows:
            super().produce_output(parsed_args, column_names, rows)
        for note in self.notes:
            print(note, file=out)
        return 0
