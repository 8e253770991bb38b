"""What programs that read the screen make of a document: headings in order, landmarks, tables,
trees, fields with what is wrong with them."""

# Of the document as it is now: what no single control shows.
UNSAID = """() => {
  const wrong = [];
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const html = (one) => one.outerHTML.slice(0, 140);
  const nameOf = (one) => one.getAttribute('aria-label') ??
    (one.getAttribute('aria-labelledby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '').join(' ').trim();
  // One heading at the top, and none that leaves a level out, but where a writer does.
  let level = 0;
  for (const heading of all('main :is(h1, h2, h3, h4, h5, h6)')) {
    if (heading.closest('article :is([class^=document_], [contenteditable=true])')) continue;
    const its = Number(heading.localName[1]);
    if (its > level + 1) wrong.push(['a level is left out', level, html(heading)]);
    if (!heading.textContent.trim()) wrong.push(['an empty heading', html(heading)]);
    level = its;
  }
  // Places to go to, each with a name of its own.
  if (all('main, [role=main]').length !== 1) wrong.push('not one main part');
  for (const kind of ['nav, [role=navigation]', 'aside, [role=complementary]', '[role=region], section[aria-label], section[aria-labelledby]']) {
    const names = all(kind).map(nameOf);
    if (names.includes('')) wrong.push(['no name', kind]);
    if (new Set(names).size < names.length) wrong.push(['called the same', kind, names]);
  }
  // What is referred to is there; ids are once.
  for (const attribute of ['aria-labelledby', 'aria-describedby', 'aria-activedescendant', 'aria-errormessage', 'aria-details', 'for'])
    for (const one of document.querySelectorAll(`[${attribute}]`))
      for (const id of one.getAttribute(attribute).split(/\\s+/).filter(Boolean))
        if (!document.getElementById(id)) wrong.push([attribute, id, html(one)]);
  const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
  for (const id of new Set(ids)) if (ids.filter((one) => one === id).length > 1) wrong.push(['twice', id]);
  // Cells have heads.
  for (const table of all('table:not([role=presentation])')) {
    if (!table.querySelector('th')) wrong.push(['no heads', html(table)]);
    const named = nameOf(table) || table.caption || table.closest('[contenteditable=true], [role=group], [role=region], [aria-label]');
    if (!named) wrong.push(['a table without a name', html(table)]);
  }
  // Rows of trees say how deep, and which of how many.
  for (const row of all('[role=treegrid] [role=row]'))
    for (const said of ['aria-level', 'aria-posinset', 'aria-setsize'])
      if (!Number(row.getAttribute(said))) wrong.push([said, html(row)]);
  // Whoever hears that a field is wrong hears why.
  for (const field of all('[aria-invalid=true]')) {
    const about = field.getAttribute('aria-describedby') ?? field.getAttribute('aria-errormessage') ?? '';
    if (!about.split(' ').some((id) => document.getElementById(id)?.textContent.trim())) wrong.push(['wrong, and not why', html(field)]);
  }
  // What is said is said once, and not as a part of a button, which has its own name.
  const LIVE = '[role=status], [role=alert], [role=log], [aria-live=polite], [aria-live=assertive]';
  for (const one of document.querySelectorAll(LIVE))
    if (one.parentElement.closest(`${LIVE}, button, [role=button], a[href], [role=option], [role=menuitem]`)) wrong.push(['said twice, or not', html(one)]);
  for (const one of document.querySelectorAll('[aria-keyshortcuts]'))
    if (!/^((Control|Alt|Shift|Meta)\\+)*\\S+( ((Control|Alt|Shift|Meta)\\+)*\\S+)*$/.test(one.getAttribute('aria-keyshortcuts')) || /Ctrl|[⌘⇧⌥]/.test(one.getAttribute('aria-keyshortcuts')))
      wrong.push(['no keys', html(one)]);
  for (const frame of all('iframe')) if (!frame.title && !nameOf(frame)) wrong.push(['a frame without a name', html(frame)]);
  return wrong;
}"""  # noqa: E501
