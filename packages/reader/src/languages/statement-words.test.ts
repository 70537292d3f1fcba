import { describe, expect, it } from 'vitest'
import { meaningOfStatementWords } from './statement-words.ts'

const meaning = (label: string): string | null => meaningOfStatementWords(label.split(' '))?.[0]?.target ?? null

describe('word-by-word meanings of statement labels', () => {
  it.each([
    ['last statement balance', 'c:opening_balance'],
    ['letzter kontostand', 'c:opening_balance'],
    ['balance brought forward', 'c:opening_balance'],
    ['saldo de apertura', 'c:opening_balance'],
    ['closing bal', 'c:closing_balance'],
    ['carried forward usd', 'c:closing_balance'],
    ['solde arrete au', 'c:closing_balance'],
    ['solde a ce jour', 'c:closing_balance'],
    ['saldo previo', 'c:opening_balance'],
    ['saldo al cierre', 'c:closing_balance'],
    ['total of deposits', 'c:total_credits'],
    ['summe eingange', 'c:total_credits'],
    ['total paid out', 'c:total_debits'],
    ['totale addebiti', 'c:total_debits'],
    ['international account no', 'c:iban'],
    ['ihre iban', 'c:iban'],
    ['ktonr', 'c:account_number'],
    ['auszug nr', 'c:statement_number'],
    ['afschrift dd', 'c:statement_date'],
  ])('reads %s as %s', (label, target) => {
    expect(meaning(label)).toBe(target)
  })

  it.each(['saldo em', 'opening and closing balance', 'total debits and credits', 'rent', 'payments'])(
    'says nothing of %s, which may mean several things',
    (label) => {
      expect(meaning(label)).toBeNull()
    },
  )
})
