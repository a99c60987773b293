'use strict';
// Search, sort, and no more rows than one looks at; without it all are there.
(() => {
  const FIRST = 200;
  const table = document.querySelector('#hosts');
  if (!table) return;
  const body = table.tBodies[0];
  const form = document.querySelector('form');
  const search = document.querySelector('#search');
  const more = document.querySelector('#more');
  const collator = new Intl.Collator('en', {numeric: true});
  let rows = [...body.rows];
  const texts = new Map(rows.map(
    (row) => [row, row.textContent.toLowerCase()],
  ));
  let limit = FIRST;

  function show() {
    const words = search.value.toLowerCase().split(/\s+/);
    const found = rows.filter(
      (row) => words.every((word) => texts.get(row).includes(word)),
    );
    const shown = new Set(found.slice(0, limit));
    for (const row of rows) row.hidden = !shown.has(row);
    const written = (number) => number.toLocaleString('en');
    document.querySelector('#shown').textContent =
      `${written(shown.size)} of ${written(rows.length)} lines`;
    more.textContent = `Show all ${written(found.length)}`;
    more.hidden = found.length <= shown.size;
  }

  function sort(header) {
    const up = header.ariaSort !== 'ascending';
    for (const other of table.tHead.rows[0].cells) other.ariaSort = null;
    header.ariaSort = up ? 'ascending' : 'descending';
    const text = (row) => row.cells[header.cellIndex].textContent;
    rows.sort((a, b) => collator.compare(text(a), text(b)) * (up ? 1 : -1));
    body.append(...rows);
    show();
  }

  for (const header of table.tHead.rows[0].cells) {
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...header.childNodes);
    button.addEventListener('click', () => sort(header));
    header.append(button);
  }
  form.addEventListener('submit', (event) => event.preventDefault());
  search.addEventListener('input', () => {
    limit = FIRST;
    show();
  });
  more.addEventListener('click', () => {
    limit = Infinity;
    show();
  });
  form.hidden = false;
  show();
})();
