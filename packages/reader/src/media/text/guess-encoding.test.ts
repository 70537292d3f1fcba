import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { read } from '../../reader.ts'
import { readDocument } from '../read-document.ts'
import { guessEncoding } from './guess-encoding.ts'

const slavic = 'id;name;sum\n1;Молоко;100,50\n2;Хлеб;45,00\n'
const czech = 'id;city;amount\n1;Plzeň;1250,00\n2;Děčín;99,90\n3;Kroměříž;5,00\n'
const polish = 'id;city;amount\n1;Łódź;1250,00\n2;Kraków;99,90\n3;Częstochowa;5,00\n'
const japanese = 'id,name,amount\n1,りんごジュース,1200\n2,緑茶ペットボトル,980\n'
const german = 'id;name;amount\n1;Müller Größe;1,00\n2;Bäcker;2,00\n'

describe('a text that names no encoding', () => {
  test.each([
    ['windows-1251', slavic],
    ['IBM866', slavic],
    ['KOI8-R', 'Счёт на оплату от 3 мая 2026\nПоставщик: Ромашка, г. Москва\nИтого к оплате: 12450'],
    ['windows-1250', czech],
    ['ISO-8859-2', polish],
    ['Shift_JIS', japanese],
    ['EUC-JP', japanese],
    ['GB18030', '发票号码 15\n销售方 北京阳光有限公司\n购买方 张伟\n合计 1250元'],
    ['Big5', '發票號碼 15\n賣方 台北陽光有限公司\n買方 張偉\n合計 1250元'],
    ['EUC-KR', '청구서 번호 15\n공급자: 서울상사\n구매자: 김철수\n합계: 12,500원'],
    ['IBM850', german],
    ['windows-1254', 'Satıcı: Güneş Ltd. Şti., İstanbul\nAlıcı: Ayşe Yıldız\nÖdeme şekli: nakit'],
  ])('is read as the %s that it looks like', (encoding, text) => {
    const { text: read, assumed } = guessEncoding(iconv.encode(text, encoding)) ?? {}
    expect({ read, isAssumed: assumed !== undefined }).toEqual({ read: text, isAssumed: true })
  })

  test.each([
    'Müller',
    'Größe: 5 m², Straße „Am Köhlerweg“ – 20 €',
    'Société Générale, été, reçu à Besançon, cœur, l’œuvre',
    'Año, señor, ¿cómo?, pingüino, 1ª y nº 5',
    'Città, perché, così, più, virtù',
    'São João, coração, você, à, avô',
    'Geïnteresseerd, coöperatie, één, vóór',
    'Grüße an Renée Lefèvre und die Straße der Größe, Köln, München, Düsseldorf, Österreich',
  ])('is read as windows-1252 without doubt where all its words can be: %s', (text) => {
    expect(guessEncoding(iconv.encode(text, 'windows-1252'))).toEqual({ text })
  })

  test('has a warning that names the assumed encoding, and its values need a look', async () => {
    const name = { type: ['string', 'null'] }
    const rows = { type: 'array', items: { type: 'object', properties: { name, sum: { type: ['number', 'null'] } } } }
    const schema = { type: 'object', properties: { rows } }
    const bytes = iconv.encode(slavic, 'windows-1251')
    const { response, evidence, warnings, completeness } = await read(bytes, { schema, fileName: 'milk.csv' })
    expect(response).toEqual({
      rows: [
        { name: 'Молоко', sum: 100.5 },
        { name: 'Хлеб', sum: 45 },
      ],
    })
    expect(warnings).toEqual([
      { code: 'encoding_assumed', path: '', message: expect.stringContaining('read as windows-1251') },
    ])
    expect(evidence['/rows/0/name']).toMatchObject({ confidence: 0.5, note: expect.stringContaining('encoding') })
    expect(evidence['/rows/0/sum']?.note).toBeUndefined()
    expect(completeness).toMatchObject({ lowConfidence: 1 })
  })

  test('is refused with a sentence where no encoding fits', async () => {
    const bytes = Buffer.from(
      Array.from({ length: 200 }, (_, at) => [0x41, 0x81 + (at % 2) * 0xc, 0x42, 0x8f, 0x20]).flat(),
    )
    await expect(readDocument({ bytes, declared: 'text' })).rejects.toMatchObject({
      code: 'unreadable_document',
      message: expect.stringContaining('save it as UTF-8'),
    })
  })

  test('is read in an encoding of DOS where its sender names one', async () => {
    const { pages, warnings } = await readDocument({
      bytes: iconv.encode('Größe', 'cp437'),
      declared: 'text; charset=ibm437',
    })
    expect(pages[0]?.words.map(({ text }) => text)).toEqual(['Größe'])
    expect(warnings).toBeUndefined()
  })

  test.each(['utf-16le', 'utf-16be'])('is read as %s without a byte order mark', async (encoding) => {
    const { mediaType, pages } = await readDocument({ bytes: iconv.encode(german, encoding), declared: 'table' })
    expect(mediaType).toBe('text/csv')
    expect(pages[0]?.words.map(({ text }) => text)).toContain('Größe')
  })
})

test('a text in UTF-8 that is cut in its last character, or has a bad byte among many good ones, is read with a warning', async () => {
  for (const bytes of [
    Buffer.concat([Buffer.from('Name: Müller\nTotal: 5.00\n'), Buffer.of(0xc3)]),
    Buffer.concat([Buffer.from(`Name: ${'Größe '.repeat(10)}\n`), Buffer.of(0xe9), Buffer.from('\nTotal: 5.00\n')]),
  ]) {
    const { pages, warnings } = await readDocument({ bytes, declared: 'text' })
    expect(pages[0]?.words.map(({ text }) => text)).toContain('5.00')
    expect(warnings).toMatchObject([{ code: 'encoding_assumed', message: expect.stringContaining('UTF-8') }])
  }
})
