/** Puts boxes into rows, so that lines lead from one row to the next: the layered drawing of Sugiyama. */

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** A line between two boxes, by their places in the list, with the size of its label. */
export interface Line {
  readonly from: number
  readonly to: number
  readonly label?: Size
}

export interface Arranged extends Size {
  /** The middle of each box. */
  readonly boxes: readonly Point[]
  /** Where each line passes between its boxes, from its beginning to its end, and where its label has its middle. */
  readonly lines: readonly { readonly points: readonly Point[]; readonly label?: Point }[]
}

const GAP = { across: 28, down: 26 }
const SWEEPS = 8

/** A box, or a place that a line passes. */
interface Cell extends Size {
  readonly row: number
  x: number
}

/** Rows from above to below. A line that would close a circle leads up. */
export function arrange(boxes: readonly Size[], lines: readonly Line[]): Arranged {
  const down = lines.map((line) => line)
  const isUp = upwardLines(boxes.length, lines)
  const rows = rowsOf(
    boxes.length,
    down.map(({ from, to }, at) => (isUp[at] ? { from: to, to: from } : { from, to })),
  )
  const cells: Cell[] = boxes.map((size, at) => ({ ...size, row: 2 * (rows[at] ?? 0), x: 0 }))
  const chains = lines.map((line, at) => passCells(cells, line, isUp[at] === true))
  const links = chains.flatMap((chain) => chain.slice(1).map((cell, at) => [chain[at] ?? 0, cell] as const))
  const order = placeCells(cells, links)
  const tops = topsOf(order, cells)
  const middle = (cell: number): Point => ({ x: cells[cell]?.x ?? 0, y: tops.middles[cells[cell]?.row ?? 0] ?? 0 })
  return {
    width: Math.max(0, ...cells.map(({ x, width }) => x + width / 2)),
    height: tops.height,
    boxes: boxes.map((_, at) => middle(at)),
    lines: chains.map((chain, at) => {
      const passed = chain.slice(1, -1)
      const labelled = passed[Math.floor((passed.length - 1) / 2)]
      const points = (isUp[at] ? [...passed].reverse() : passed).map(middle)
      return { points, ...(lines[at]?.label && labelled !== undefined && { label: middle(labelled) }) }
    }),
  }
}

/** The lines that lead back to where one came from, by a walk in depth. */
function upwardLines(count: number, lines: readonly Line[]): boolean[] {
  const out: number[][] = Array.from({ length: count }, () => [])
  for (const [at, { from }] of lines.entries()) out[from]?.push(at)
  const state = new Array<'new' | 'open' | 'done'>(count).fill('new')
  const isUp = new Array<boolean>(lines.length).fill(false)
  const walk = (box: number) => {
    state[box] = 'open'
    for (const at of out[box] ?? []) {
      const to = lines[at]?.to ?? 0
      if (state[to] === 'open') isUp[at] = true
      else if (state[to] === 'new') walk(to)
    }
    state[box] = 'done'
  }
  for (let box = 0; box < count; box++) if (state[box] === 'new') walk(box)
  return isUp
}

/** Each box below all that lead to it; one that nothing leads to just above the first that it leads to. */
function rowsOf(count: number, lines: readonly Line[]): number[] {
  const rows = new Array<number>(count).fill(0)
  for (let round = 0; round < count; round++) {
    for (const { from, to } of lines) rows[to] = Math.max(rows[to] ?? 0, (rows[from] ?? 0) + 1)
  }
  const isReached = new Set(lines.map(({ to }) => to))
  return rows.map((row, box) => {
    const next = lines.filter(({ from }) => from === box).map(({ to }) => rows[to] ?? 0)
    return isReached.has(box) || next.length === 0 ? row : Math.min(...next) - 1
  })
}

/** The cells of a line from above to below: its boxes, and one in each row between, the middle one as large as its label. */
function passCells(cells: Cell[], { from, to, label }: Line, isUp: boolean): number[] {
  const [above, below] = isUp ? [to, from] : [from, to]
  const [first, last] = [cells[above]?.row ?? 0, cells[below]?.row ?? 0]
  const between = Array.from({ length: Math.max(0, last - first - 1) }, (_, at) => first + 1 + at)
  const middle = Math.floor((between.length - 1) / 2)
  const passed = between.map((row, at) => {
    const size = at === middle && label ? label : { width: 4, height: 0 }
    return cells.push({ ...size, row, x: 0 }) - 1
  })
  return [above, ...passed, below]
}

/** Gives each cell its place in its row. Returns the rows. */
function placeCells(cells: readonly Cell[], links: readonly (readonly [above: number, below: number])[]): number[][] {
  const near: number[][] = cells.map(() => [])
  for (const [above, below] of links) {
    near[above]?.push(below)
    near[below]?.push(above)
  }
  const order: number[][] = Array.from({ length: Math.max(0, ...cells.map(({ row }) => row)) + 1 }, () => [])
  for (const [at, { row }] of cells.entries()) order[row]?.push(at)
  for (const row of order)
    spread(
      row,
      cells,
      row.map((_, at) => at),
    )
  for (let sweep = 0; sweep < 2 * SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0
    for (const row of isDown ? order : [...order].reverse()) {
      const wanted = (cell: number) =>
        meanOf(
          cells,
          (near[cell] ?? []).filter((other) => isDown === isAbove(cells, other, cell)),
          cell,
        )
      // The order settles in the first half; then only places move.
      if (sweep < SWEEPS) row.sort((one, other) => wanted(one) - wanted(other))
      spread(row, cells, row.map(wanted))
    }
  }
  // At last each cell looks to both sides.
  for (const row of order)
    spread(
      row,
      cells,
      row.map((cell) => meanOf(cells, near[cell] ?? [], cell)),
    )
  const left = Math.min(...cells.map(({ x, width }) => x - width / 2))
  for (const cell of cells) cell.x -= left
  return order
}

function isAbove(cells: readonly Cell[], one: number, other: number): boolean {
  return (cells[one]?.row ?? 0) < (cells[other]?.row ?? 0)
}

function meanOf(cells: readonly Cell[], others: readonly number[], own: number): number {
  if (others.length === 0) return cells[own]?.x ?? 0
  return others.reduce((sum, other) => sum + (cells[other]?.x ?? 0), 0) / others.length
}

/** As near to where they want to be as their order and their widths allow: cells that push each other share their mean. */
function spread(row: readonly number[], cells: readonly Cell[], wanted: readonly number[]): void {
  const offsets: number[] = []
  const blocks: { sum: number; count: number }[] = []
  for (const [at, cell] of row.entries()) {
    const width = cells[cell]?.width ?? 0
    const before = cells[row[at - 1] ?? -1]
    offsets.push(before === undefined ? 0 : (offsets[at - 1] ?? 0) + (before.width + width) / 2 + GAP.across)
    let block = { sum: (wanted[at] ?? 0) - (offsets[at] ?? 0), count: 1 }
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      blocks.pop()
      block = { sum: block.sum + last.sum, count: block.count + last.count }
    }
    blocks.push(block)
  }
  const means = blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count))
  for (const [at, cell] of row.entries()) {
    const target = cells[cell]
    if (target) target.x = (means[at] ?? 0) + (offsets[at] ?? 0)
  }
}

/** The middle of each row, and the height of all. */
function topsOf(order: readonly (readonly number[])[], cells: readonly Cell[]): { middles: number[]; height: number } {
  const middles: number[] = []
  let height = 0
  for (const [at, row] of order.entries()) {
    const own = Math.max(0, ...row.map((cell) => cells[cell]?.height ?? 0))
    middles.push(height + own / 2)
    height += own + (at < order.length - 1 ? GAP.down : 0)
  }
  return { middles, height }
}
