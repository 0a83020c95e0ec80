import { describe, expect, it } from 'vitest'
import { computeAnswer } from '../../../src/research/run/table-answers.ts'
import type { EvidenceTable } from '../../../src/research/run/table-columns.ts'

function table(name: string, csv: string): EvidenceTable {
  const [header = [], ...rows] = csv
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return { ref: `${name}::S2`, about: name, name, header, rows }
}

const BOATS = table(
  'boats.csv',
  `year,city,country,boats,open
2019,Bergen,Norway,120,yes
2020,Hull,England,80,no
2020,Oslo,Norway,1040,yes
2021,Leeds,England,60,yes
2021,Kiel,Germany,300,no`,
)
const ORDERS = table(
  'sales.csv',
  `order_id,product,status,unitPrice,Weight (kg),quantity
1,Tea,shipped,4.5,1,10
2,Coffee,cancelled,8,2,3
3,Tea,shipped,4.5,1,7
4,Cocoa,pending,6,3,2`,
)

const ask = (question: string) => computeAnswer(question, [BOATS, ORDERS])

describe('what is computed on a table, and is the whole answer', () => {
  it.each([
    ['How many cities have between 100 and 1000 boats?', ': 2'],
    ['How many cities have 80 or more boats?', ': 4'],
    ['How many cities have 80 or fewer boats?', ': 2'],
    ['How many cities have up to 80 boats?', ': 2'],
    ['How many cities in the year 2020 have more than 100 boats?', 'year is 2020 and boats is more than 100: 1'],
    ['How many cities of 2020 have more than 100 boats?', 'year is 2020 and boats is more than 100: 1'],
    [
      'How many cities with at least 60 boats have a year over 2019?',
      'year is more than 2019 and boats is at least 60: 4',
    ],
    [
      'How many orders have a quantity over 5 and a unit price under 5?',
      'quantity is more than 5 and unitPrice is less than 5: 2',
    ],
    ['How many countries have a city with more than 100 boats?', ': 2'],
    ['Which city in England has the fewest boats?', ': 60, of Leeds'],
    ['What is the sum of boats only in Norway?', ': 1160'],
    ['How many orders are pending?', 'status is pending: 1'],
    ['Which order has the highest quantity?', ': 10, of 1'],
    ['What is the highest unit price?', 'unitPrice: 8'],
    ['What is the average weight?', 'Weight (kg): 1.75'],
    ['What is the average unit price per product?', 'Cocoa: 6; Coffee: 8; Tea: 4.5'],
  ])('%s', (question, said) => {
    const answer = ask(question)
    expect(answer?.text.endsWith(said), answer?.text).toBe(true)
    expect(answer?.isWhole).toBe(true)
  })
})

it('is computed on a table of any name', () => {
  const named = table('sqlite_cities.csv', 'city,boats\nHull,80\nKiel,300')
  expect(computeAnswer('What is the sum of boats?', [named])?.text).toContain(': 380')
})

describe('no figure is computed', () => {
  it.each([
    ['of what a comparison names without a number', 'How many cities have more boats than Hull?'],
    ['of what is compared with another figure', 'How many cities have fewer boats than the average?'],
    ['of a number in words', 'How many countries have more than one city?'],
    ['of a kind whose column alone is named', 'How many cities are open?'],
    ['of a kind whose column alone is named, of a mean', 'What is the average number of boats of open cities?'],
    ['of what is about a number', 'How many cities have about 80 boats?'],
    ['of years from one on', 'How many cities had boats from 2020 on?'],
    ['of years up to one', 'What is the sum of boats through 2020?'],
    ['of years behind one', 'What is the sum of boats for 2020 and later?'],
    ['of several years', 'What is the sum of boats in 2019/2020?'],
    ['of one of two', 'how many cities are in norway or england?'],
    ['of what lies outside', 'How many cities are outside Norway?'],
    ['of all but one', 'What is the sum of boats of all cities save Oslo?'],
    ['of the opposite', 'What is the total quantity of non-cancelled orders?'],
    ['of a year that is not named', 'What was the total of boats in the latest year?'],
    ['of a part', 'What share of the total boats is in Norway?'],
    ['of several times a figure', 'What is twice the sum of boats?'],
    ['of each group the row of its highest', 'Which city had the most boats per year?'],
    ['for a reason', 'Why does Oslo have the most boats?'],
    ['for yes or no', 'Does Oslo have the most boats?'],
  ])('%s: %s', (_, question) => {
    expect(ask(question)?.text).toBe(undefined)
  })

  it('of numbers and of per cent in one column', () => {
    const mixed = table('a.csv', 'city,amount\nHull,5%\nOslo,300')
    expect(computeAnswer('What is the sum of amount?', [mixed])).toBe(undefined)
    const percent = table('a.csv', 'city,amount\nHull,5%\nOslo,30%')
    expect(computeAnswer('What is the highest amount?', [percent])?.text).toBe('The highest value of amount: 30')
  })

  it('unless a column has the name of the word that leads elsewhere', () => {
    const shares = table('shares.csv', 'city,share\nHull,20\nOslo,80')
    expect(computeAnswer('What is the highest share?', [shares])?.text).toBe('The highest value of share: 80')
  })
})
