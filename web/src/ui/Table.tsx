import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export interface TableColumn<Row> {
  readonly name: string
  /** Of its cells and its head: width, alignment, and where it is left out. */
  readonly className?: string
  /** Only screen readers read the head. */
  readonly isBare?: boolean
  /** Of a cell whose text may be cut off. */
  readonly title?: (row: Row) => string | undefined
  /** `isReached`: Tab leads into the table by this row. */
  readonly cell: (row: Row, isReached: boolean) => ReactNode
}

interface TableProps<Row> {
  readonly label?: string
  /** The first one names the row. */
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

const CELL = 'h-9 border-b border-line px-2 py-1.5 text-left first:pl-4 last:pr-4'

/** A table of a few rows. */
export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <table aria-label={label} className="mt-1 w-full table-fixed border-separate border-spacing-0 text-sm">
      <TableHead columns={columns} />
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)} className="hover:bg-surface">
            {columns.map(({ name, className, cell }, at) => {
              const Cell = at === 0 ? 'th' : 'td'
              return (
                <Cell
                  key={name}
                  scope={at === 0 ? 'row' : undefined}
                  className={cn(CELL, 'font-normal wrap-anywhere', className)}
                >
                  {cell(row, true)}
                </Cell>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface TableHeadProps<Row> extends Pick<TableProps<Row>, 'columns'> {
  /** Only screen readers read the heads. */
  readonly isBare?: boolean
  /** Of each. */
  readonly className?: string
}

export function TableHead<Row>({ columns, isBare = false, className: own }: TableHeadProps<Row>) {
  return (
    <thead className={isBare ? 'sr-only' : ''}>
      <tr>
        {columns.map(({ name, className, isBare: isHidden = false }) => (
          <th
            key={name}
            scope="col"
            className={cn(CELL, className, 'h-8 py-0 font-sans text-xs font-medium whitespace-nowrap text-ink-3', own)}
          >
            <span className={isHidden ? 'sr-only' : ''}>{name}</span>
          </th>
        ))}
      </tr>
    </thead>
  )
}
