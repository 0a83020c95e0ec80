/** The HTML of an element for other programs: with absolute links and citations as `[1]`, without buttons and icons. */
export function richText(element: Element): string {
  const copy = element.cloneNode(true) as Element
  for (const cite of copy.querySelectorAll('[data-cite]')) cite.replaceWith(`[${cite.textContent}]`)
  for (const control of copy.querySelectorAll('button, svg, [data-formula] [aria-hidden], [data-host]'))
    control.remove()
  for (const link of copy.querySelectorAll('a')) link.setAttribute('href', link.href)
  for (const each of [copy, ...copy.querySelectorAll('*')]) {
    for (const name of ['class', 'style', 'title', 'target', 'rel', 'tabindex']) each.removeAttribute(name)
  }
  return new XMLSerializer().serializeToString(copy)
}
