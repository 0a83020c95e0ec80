import type { Exchange } from '../conversation-store.ts'
import type { Salvaged } from '../store.ts'
import type { Connection } from './sql.ts'

type Conversation = Salvaged['conversations'][number]
type Row = Readonly<Record<string, string | number | null>>

/** The conversations in a database that may be damaged; those that were changed last come last. An older one has none. */
export function conversationsIn(db: Connection): Conversation[] {
  if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'exchanges'").get()) return []
  const heads = db.prepare('SELECT * FROM conversations ORDER BY updated_at, id').all() as Row[]
  const exchanges = db.prepare('SELECT * FROM exchanges WHERE conversation = ? ORDER BY at')
  return heads.map((row) => conversationOf(row, exchanges.all(row.number) as Row[]))
}

function conversationOf(row: Row, rows: readonly Row[]): Conversation {
  const head = {
    id: String(row.id),
    title: String(row.title),
    place: String(row.place),
    model: String(row.model),
    createdAt: String(row.created_at),
    updatedAt: String(row.updated_at),
    exchanges: rows.length,
  }
  // A database from before there were owners has none.
  return { head, exchanges: rows.map(exchangeOf), ...(row.owner && { owner: String(row.owner) }) }
}

function exchangeOf(row: Row): Exchange {
  return {
    id: String(row.id),
    question: String(row.question),
    place: String(row.place),
    model: String(row.model),
    askedAt: String(row.asked_at),
    end: row.ended === null ? null : String(row.ended),
    shown: JSON.parse(String(row.shown)),
    messages: JSON.parse(String(row.messages)),
    isWhole: row.whole === 1,
    state: JSON.parse(String(row.state)),
  }
}
