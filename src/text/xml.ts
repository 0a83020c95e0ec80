/** Escapes text for XML and HTML: a conforming parser reads back the same text, except for characters that XML forbids. */

/** Escapes a text between tags. `>` is escaped only where it would end a CDATA section. */
export function escapeText(text: string): string {
  return text
    .replace(ILLEGAL, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(']]>', ']]&gt;')
    .replaceAll('\r', '&#13;')
}

/** Escapes a text between double quotes. */
export function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;')
}

/** Escapes a text for HTML, between tags and between quotes of either kind. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    .replaceAll('\0', '\uFFFD')
    .toWellFormed()
}

/** Control characters, non-characters and lone surrogates, which no XML document may contain. */
const ILLEGAL =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Number of characters of a text that XML cannot contain. They are rendered as U+FFFD. */
export function countIllegal(text: string): number {
  return text.match(ILLEGAL)?.length ?? 0
}
