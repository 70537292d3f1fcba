import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { languageOf } from '../../languages/page-language.ts'
import type { Page } from '../document.ts'
import { uprightPage } from '../testing/upright.ts'
import { spelled } from './language.ts'
import { addUnseen, mergeOcrResults, missedShare, type OcrResult, type SeenWord } from './ocr-result.ts'
import { type Turn, turnAbout, unturn } from './turn.ts'

const word = (text: string, [x, y, w]: readonly [number, number, number], confidence: number): SeenWord => ({
  text,
  box: [x, y, w, 0.02],
  confidence,
})
const reading = (...words: SeenWord[]): OcrResult => ({ words, worth: 0, confidence: 0 })
const texts = (words: readonly SeenWord[]): string[] => words.map((each) => each.text)

describe('two readings of a page', () => {
  const first = reading(word('lnvoice', [0.1, 0.1, 0.2], 0.6), word('42', [0.5, 0.1, 0.1], 0.9))

  test('keep the more confident of two words in one place', () => {
    const second = reading(word('Invoice', [0.1, 0.1, 0.21], 0.9), word('47', [0.5, 0.1, 0.1], 0.7))
    expect(texts(mergeOcrResults(first, second).words)).toEqual(['Invoice', '42'])
  })

  test('prefer the one that saw more marks of a number, even if it is less confident', () => {
    const points = reading(word('4.2', [0.5, 0.1, 0.1], 0.7))
    expect(texts(mergeOcrResults(first, points).words)).toEqual(['lnvoice', '4.2'])
    expect(texts(mergeOcrResults(points, first).words)[0]).toBe('4.2')
    const days = mergeOcrResults(
      reading(word('1101', [0.5, 0.1, 0.1], 0.95)),
      reading(word('11/01', [0.5, 0.1, 0.1], 0.8)),
    )
    expect(texts(days.words)).toEqual(['11/01'])
  })

  test("combine the accents of a word when both used the page's language", () => {
    const [one, other] = [
      reading(word('Proteçao', [0.1, 0.1, 0.2], 0.9)),
      reading(word('Protecão', [0.1, 0.1, 0.2], 0.8)),
    ]
    expect(texts(mergeOcrResults(one, other, { areAlike: true }).words)).toEqual(['Proteção'])
    expect(texts(mergeOcrResults(one, other).words)).toEqual(['Proteçao'])
    const credit = mergeOcrResults(
      reading(word('À', [0.1, 0.1, 0.02], 0.9)),
      reading(word('A', [0.1, 0.1, 0.02], 0.9)),
      {
        areAlike: true,
      },
    )
    expect(texts(credit.words)).toEqual(['A'])
  })

  test('gain a confident word that only the second reading has', () => {
    const second = reading(word('Total', [0.1, 0.5, 0.1], 0.8), word('|', [0.9, 0.9, 0.01], 0.3))
    expect(texts(mergeOcrResults(first, second).words)).toEqual(['lnvoice', '42', 'Total'])
  })

  test('are not mixed where one splits what the other joins', () => {
    const second = reading(word('ln', [0.1, 0.1, 0.04], 0.99), word('voice', [0.15, 0.1, 0.1], 0.99))
    expect(texts(mergeOcrResults(first, second).words)).toEqual(['lnvoice', '42'])
  })

  test('have a confidence weighted by characters', () => {
    const { confidence, worth } = mergeOcrResults(first, reading())
    expect(worth).toBeCloseTo(7 * 0.6 + 2 * 0.9)
    expect(confidence).toBeCloseTo((7 * 0.6 + 2 * 0.9) / 9)
  })

  test('know which letters no word covers', () => {
    const places = [
      { x: 0.15, y: 0.11 },
      { x: 0.15, y: 0.31 },
      { x: 0.55, y: 0.11 },
      { x: 0.9, y: 0.11 },
    ]
    expect(missedShare(places, first.words)).toBe(0.5)
    expect(missedShare([], first.words)).toBe(0)
  })

  test('keep known words and add words seen elsewhere', () => {
    const seen = [word('Inv', [0.12, 0.1, 0.1], 0.9), word('new', [0.1, 0.8, 0.1], 0.4)]
    expect(texts(addUnseen(first.words, seen))).toEqual(['lnvoice', '42', 'new'])
  })
})

describe('a turned page', () => {
  const turn = fc.constantFrom<Turn['quarters']>(0, 1, 2, 3)
  const share = fc.double({ min: 0, max: 1, noNaN: true })

  test('maps each position back to the page before it was turned', () => {
    fc.assert(
      fc.property(turn, share, share, (quarters, x, y) => {
        const size = { width: 300, height: 200 }
        const given = { x: x * size.width, y: y * size.height }
        const turned = turnAbout(given, { x: 150, y: 100 }, quarters * 90)
        const shift = quarters % 2 === 1 ? 50 : 0
        const back = unturn({ x: turned.x - shift, y: turned.y + shift }, quarters, size)
        expect(back.x).toBeCloseTo(given.x)
        expect(back.y).toBeCloseTo(given.y)
      }),
    )
  })

  test('becomes upright with the order and size of its words', () => {
    const page: Page = {
      index: 0,
      width: 200,
      height: 100,
      source: 'ocr',
      turnedDegrees: 90,
      words: [{ text: 'top', box: [0.05, 0.7, 0.05, 0.2], confidence: 1 }],
    }
    const upright = uprightPage(page)
    expect(upright).toMatchObject({ width: 100, height: 200, turnedDegrees: 0 })
    const [x, y, w, h] = upright.words[0]?.box ?? [0, 0, 0, 0]
    expect([x, y, w, h].map((value) => Number(value.toFixed(6)))).toEqual([0.1, 0.05, 0.2, 0.05])
    expect(uprightPage(upright)).toBe(upright)
  })
})

describe('the language of a page', () => {
  const words = (text: string): { text: string }[] => text.split(' ').map((each) => ({ text: each }))

  test.each([
    ['deu', 'Rechnung Nr. 12 Menge und Betrag sind zahlbar mit Datum der MwSt'],
    ['fra', 'Facture du 12 mars Désignation Quantité Montant TVA Merci pour votre paiement'],
    ['spa', 'Factura del cliente Fecha Descripción Cantidad Importe IVA Gracias por su pago'],
    ['fra', 'Releve de compte Solde Libelle Virement recu Achat Frais 12,50 1 234,00'],
    ['deu', 'Kontoauszug Konto Buchungstag Lastschrift Gutschrift 12,50'],
    ['por', 'Fatura Morada Rua do Carmo Descricäo Quantidade Preco dos artigos NIF vencimento'],
    ['ita', 'Fattura Descrizione Quantita Prezzo Imponibile Totale da pagare Scadenza della fattura'],
    ['eng', 'Invoice number 12 the amount is due by date'],
    ['eng', 'ACME SDN BHD 12.50 GST'],
    ['eng', 'Restaurant La Casa del Sol thank you total amount due'],
  ])('is %s for its common words: %s', (language, text) => {
    expect(languageOf(words(text))).toBe(language)
  })

  test('corrects letters that similar models read as their own', () => {
    expect(spelled('gräo manutencáo Construçôes NÄO', 'por')).toBe('grão manutencão Construções NÃO')
    expect(spelled('Città Zürich', 'ita')).toBe('Città Zürich')
    expect(spelled('Straße für Mädchen', 'deu')).toBe('Straße für Mädchen')
  })
})
