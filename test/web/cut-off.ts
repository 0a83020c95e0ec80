import type { Page } from 'playwright-core'

/**
 * What of a page is cut off: a line for each innermost element of `main`, `aside` or an open `dialog` whose content is wider
 * than it, and neither wraps, nor scrolls where the keyboard reaches, nor ends in an ellipsis with the whole text as its title.
 * Also what has so little room that its letters stand under each other.
 */
export function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Pixels by which browsers round. */
    const ROUNDING = 1
    const skipped = 'svg, svg *, canvas, input, textarea, select, option, progress, iframe'
    const isScroller = (element: HTMLElement): boolean =>
      /auto|scroll/.test(getComputedStyle(element).overflowX) &&
      element.tabIndex >= 0 &&
      !element.matches('main, aside, dialog, [role=log]')
    /** Whether it scrolls itself, or all of it is seen in something that does. */
    const scrolls = (element: HTMLElement | null): boolean =>
      element !== null &&
      (isScroller(element) ||
        (getComputedStyle(element).overflowX === 'visible' &&
          element.tagName !== 'MAIN' &&
          scrolls(element.parentElement)))
    const isTold = (element: HTMLElement) => {
      const told = element.closest<HTMLElement>('[title]')?.title ?? ''
      return (
        getComputedStyle(element).textOverflow === 'ellipsis' &&
        element.innerText.split('\n').every((line) => told.includes(line.trim()))
      )
    }
    const isCutOff = (element: HTMLElement) =>
      element.clientWidth > ROUNDING &&
      element.scrollWidth - element.clientWidth > ROUNDING &&
      !element.matches(skipped) &&
      !scrolls(element) &&
      !isTold(element)
    const isSqueezed = (element: HTMLElement) => {
      const text = [...element.childNodes].map((node) => (node.nodeType === 3 ? (node.textContent ?? '') : '')).join('')
      if (text.trim().length < 10 || element.matches(skipped)) return false
      const range = document.createRange()
      range.selectNodeContents(element)
      const { width, height } = range.getBoundingClientRect()
      const size = Number.parseFloat(getComputedStyle(element).fontSize)
      return width > ROUNDING && width < 2.5 * size && height > 6 * size
    }
    const parts = [...document.querySelectorAll<HTMLElement>('main, aside, dialog[open]')]
    const all = new Set(parts.flatMap((part) => [part, ...part.querySelectorAll<HTMLElement>('*')]))
    // What is in a closed part of the page has no size to tell of.
    const seen = [...all].filter((element) => element.checkVisibility())
    const cut = seen.filter((element) => isCutOff(element) || isSqueezed(element))
    return cut
      .filter((element) => !cut.some((other) => other !== element && element.contains(other)))
      .map(
        (element) =>
          `${element.tagName.toLowerCase()}.${element.className} ${element.scrollWidth} > ${element.clientWidth}: ${element.innerText.slice(0, 60)}`,
      )
  })
}
