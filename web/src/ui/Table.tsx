import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export interface TableColumn<Row> {
  readonly name: string
  /** Classes of its cells and its header: width, alignment, and screens without it. */
  readonly className?: string
  /** Whether only screen readers read the header. */
  readonly isBare?: boolean
  /** Tooltip of a cell whose text may be cut off. */
  readonly title?: (row: Row) => string | undefined
  /** `isReached`: whether Tab focuses this row. */
  readonly cell: (row: Row, isReached: boolean) => ReactNode
}

interface TableProps<Row> {
  readonly label?: string
  /** The first column names the row. */
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
  /** Whether only screen readers read the headers. */
  readonly isBare?: boolean
  /** Classes of each header cell. */
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
