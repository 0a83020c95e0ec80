/** What browsers call themselves, the one that is a kind of another first. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|HeadlessChrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+ .*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

/** Characters of a header that are looked at. */
const MOST = 500

/**
 * What people know the browser of a request by, such as `Firefox on Linux`: words of ours only, never of the request. `''` where it
 * does not tell.
 */
export function deviceOf(request: Request): string {
  const agent = (request.headers.get('user-agent') ?? '').slice(0, MOST)
  return [BROWSERS, SYSTEMS].flatMap((table) => table.find(([pattern]) => pattern.test(agent))?.[1] ?? []).join(' on ')
}
