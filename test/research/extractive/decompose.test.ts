import { expect, it } from 'vitest'
import { splitQuestion } from '../../../src/research/extractive/decompose.ts'

it.each([
  [
    'How much is a ticket, and when does the last boat leave?',
    ['How much is a ticket?', 'When does the last boat leave?'],
  ],
  ['how often is a payment retried, and what is money?', ['How often is a payment retried?', 'What is money?']],
  ['What is a span? What is a slice?', ['What is a span?', 'What is a slice?']],
])('%s is divided into its questions', (question, parts) => {
  expect(splitQuestion(question)).toEqual(parts)
})

it.each([
  ['a question of one part', 'What happens after a timeout?'],
  ['a part that needs the other', 'What is the cost of a ticket, and why?'],
  ['a part without a word of its own', 'How long does a trip take, and how is it?'],
  ['a list', 'What are the rules for cats and dogs?'],
])('%s is left whole', (_, question) => {
  expect(splitQuestion(question)).toEqual([question])
})
