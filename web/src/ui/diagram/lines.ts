/** Lines of a diagram, without what is not shown. */

/** Characters of a diagram that is drawn; a line of it has up to 500. */
const MOST = 20_000

const NAMED: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: ' ', apos: "'" }

/** Tags that only change how letters look. */
const LOOKS = /<\/?(?:b|i|u|s|em|strong|code|small|sub|sup|span|div|p|font|center)(?:\s[^<>]*)?>/gi

/** The statements of a diagram, without front matter, comments and directives. Undefined for one that is too long. */
export function statementsOf(text: string): readonly string[] | undefined {
  if (text.length > MOST || /.{501}/.test(text)) return undefined
  const body = text.replace(/^\s*---\n[\s\S]*?\n---[ \t]*\n/, '').replace(/%%\{[\s\S]*?\}%%/g, '')
  return body
    .split('\n')
    .filter((line) => !/^\s*%%/.test(line))
    .flatMap(splitAtSemicolons)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** At those that stand in no label: `#quot;` is a character. */
function splitAtSemicolons(line: string): string[] {
  return line.match(/(?:"[^"]*"|\[[^\]]*\]|\{[^}]*\}|\([^)]*\)|\|[^|]*\||[#&]\w+;|[^;])+/g) ?? []
}

/** A label as it is read: quotation marks, line breaks and entities taken for what they mean. */
export function labelOf(written: string): string {
  const quoted = /^"([\s\S]*)"$/.exec(written.trim())?.[1] ?? written
  const plain = /^`([\s\S]*)`$/.exec(quoted.trim())?.[1]?.replaceAll(/[*_]{1,2}(\S[^*_]*)[*_]{1,2}/g, '$1') ?? quoted
  return plain
    .replaceAll(/<br\s*\/?>|\\n/gi, '\n')
    .replaceAll(LOOKS, '')
    .replaceAll(/[#&](\w{2,5});/g, (entity, name: string) => NAMED[name] ?? characterOf(name) ?? entity)
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim()
}

function characterOf(name: string): string | undefined {
  const code = /^\d{2,5}$/.test(name) ? Number(name) : Number.NaN
  return code >= 32 ? String.fromCodePoint(code) : undefined
}
