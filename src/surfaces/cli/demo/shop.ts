/** The project of the demo: files of a small shop, by path. */
export const SHOP: Readonly<Record<string, string>> = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.gemini/settings.json': '{ "context": { "fileName": "AGENTS.md" } }\n',
  'AGENTS.md': `# Shop

\`packages/api\` takes orders, \`packages/web\` shows them, \`docs\` says how we run the shop.

- Run \`npm test\` before you finish.
- Write a test for each bug that you fix.
`,
  'CLAUDE.md': '@AGENTS.md\n',
  'package.json':
    '{ "private": true, "scripts": { "test": "node --test", "bank": "node packages/api/src/bank.ts" } }\n',
  'packages/api/AGENTS.md': `# API

- Money is an integer of cents, never a float.
- Never log a request body: it holds card numbers.
`,
  'packages/web/AGENTS.md': '# Web\n\n- Texts for customers stand in `src/texts.ts`, never in a component.\n',
  'packages/api/src/refund.ts': `import { type Charge, chargeOf } from './charge.ts'

/** Pays back a part of an order, or all of it. */
export async function refundOrder(order: string, cents: number) {
  const charge = await chargeOf(order)
  if (cents > charge.cents) throw new RefundTooLarge(charge, cents)
  return bank.refund(charge.id, cents)
}

export class RefundTooLarge extends Error {
  constructor(charge: Charge, cents: number) {
    super(\`The refund of \${cents} cents is more than the charge of \${charge.cents}.\`)
  }
}
`,
  'packages/api/src/charge.ts': `import { orders } from './orders.ts'

/** A customer's payment for an order. */
export interface Charge {
  readonly id: string
  readonly cents: number
  /** Amount that was refunded before. */
  readonly refunded: number
}

export async function chargeOf(order: string): Promise<Charge> {
  return (await orders.find(order)).charge
}
`,
  'packages/web/src/cart.tsx': `import { texts } from './texts.ts'

export function Cart({ items }: { items: Item[] }) {
  return items.length === 0 ? <p>{texts.empty}</p> : <List items={items} />
}
`,
  'packages/web/src/texts.ts': "export const texts = { empty: 'Your cart is empty.' }\n",
  'docs/returns.md': `# Returns

## Deadline

A customer may return an order within 30 days after delivery. Gift cards are
excluded.

## Money back

The bank pays within 5 working days. After 10, open a ticket with the bank.
`,
  'docs/on-call.md': `# On call

- Payments fail: switch to the second bank with \`npm run bank -- second\`.
- The cart is slow: restart the cache.
- A release is broken: roll back with \`npm run rollback -- VERSION\`.
`,
}
