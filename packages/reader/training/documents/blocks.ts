import { drawBox, drawRule, lineHeight, type TextLook, textWidth, write } from './ink.ts'
import type { BankAccount, Party } from './parties.ts'
import type { Press } from './press.ts'

/** A label and what it names. */
export type Pair = readonly [label: string, value: string]

export interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
}

export type PairsLook = 'columns' | 'inline' | 'above' | 'boxes' | 'headed-row' | 'right' | 'spread' | 'grid'

/** Drops the pairs whose value is null. */
export function pairsOf(entries: readonly (readonly [string, string | null])[]): Pair[] {
  return entries.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]))
}

/** Draws labels with their values in one of the ways in which forms do, and returns the y below. */
export function drawPairs(
  press: Press,
  at: Place & { pairs: readonly Pair[]; look: PairsLook; size?: number },
): number {
  const { style } = press
  const { x, width, pairs } = at
  const size = at.size ?? style.size
  if (pairs.length === 0) return at.y
  if (at.look === 'boxes' || at.look === 'headed-row') return drawPairsRow(press, at)
  let y = at.y
  const widest = Math.max(...pairs.map(([label]) => textWidth(press, label + style.suffix, { size, face: 'bold' })))
  const valueX = x + Math.min(widest + 10, width * 0.62)
  for (const [label, value] of pairs) {
    switch (at.look) {
      case 'columns': {
        const labelEnd = write(press, label + style.suffix, { x, y, size, face: 'bold', width: valueX - x - 4 })
        y = Math.max(labelEnd, write(press, value, { x: valueX, y, size, width: x + width - valueX }))
        break
      }
      case 'inline':
        y = write(press, `${label}${style.suffix === '' ? ':' : style.suffix} ${value}`, { x, y, size, width })
        break
      case 'above':
        y = write(press, label, { x, y, size: size * 0.8, colour: style.grey, width, gap: 0 })
        y = write(press, value, { x, y, size, width, face: 'bold' }) + 2
        break
      case 'right': {
        const labelEnd = write(press, label + style.suffix, {
          x,
          y,
          size,
          width: width * 0.55,
          align: 'right',
          colour: style.grey,
        })
        y = Math.max(labelEnd, write(press, value, { x: x + width * 0.58, y, size, width: width * 0.42 }))
        break
      }
      case 'spread': {
        const used = textWidth(press, label + style.suffix, { size }) + 8
        write(press, label + style.suffix, { x, y, size })
        y = write(press, value, { x: x + used, y, size, width: width - used, align: 'right' })
        break
      }
      case 'grid': {
        const height = lineHeight(press, { size }) + 4
        drawBox(press, { x, y, width: width * 0.5, height, fill: '#eeeeee', stroke: style.grey })
        drawBox(press, { x: x + width * 0.5, y, width: width * 0.5, height, stroke: style.grey })
        write(press, label, { x: x + 4, y: y + 3, size, face: 'bold' })
        write(press, value, { x: x + width * 0.5 + 4, y: y + 3, size })
        y += height
        break
      }
    }
  }
  return y
}

/** Labels in one row and their values under them, in boxes or under a rule; wraps to a further row after five. */
function drawPairsRow(press: Press, at: Place & { pairs: readonly Pair[]; look: PairsLook; size?: number }): number {
  const { style } = press
  const size = at.size ?? style.size
  let { y } = at
  for (let n = 0; n < at.pairs.length; n += 5) {
    const row = at.pairs.slice(n, n + 5)
    const cell = at.width / row.length
    const look: TextLook = { size: size * 0.85, width: cell - 8, face: 'bold' }
    const labelEnd = Math.max(
      ...row.map(([label], i) => write(press, label, { ...look, x: at.x + i * cell + 4, y: y + 3, gap: 1 })),
    )
    const valueEnd = Math.max(
      ...row.map(([, value], i) =>
        write(press, value, { size, width: cell - 8, x: at.x + i * cell + 4, y: labelEnd + 2 }),
      ),
    )
    if (at.look === 'boxes')
      for (const i of row.keys())
        drawBox(press, { x: at.x + i * cell, y, width: cell, height: valueEnd - y, stroke: style.grey })
    else drawRule(press, { x: at.x, y: labelEnd, width: at.width, colour: style.accent })
    y = valueEnd + 4
  }
  return y
}

export interface PartyLook {
  readonly title?: string
  readonly titleLook?: 'small' | 'bold' | 'band'
  readonly align?: 'left' | 'right' | 'center'
  readonly size?: number
  readonly nameSize?: number
  readonly colour?: string
  /** Address in one line, split by this text. */
  readonly joined?: string
  readonly hideName?: boolean
}

/** A firm's name and address, then how to reach it, one thing a line. Prints all that the party has. */
export function drawParty(press: Press, at: Place & { party: Party; look: PartyLook }): number {
  const { style, label } = press
  const { look, party, x, width } = at
  const base: TextLook = { size: look.size ?? style.size, width, align: look.align ?? 'left', ...colourOf(look) }
  let { y } = at
  if (look.title !== undefined) {
    if (look.titleLook === 'band') {
      drawBox(press, { x, y, width, height: lineHeight(press, base) + 3, fill: style.accent })
      y =
        write(press, look.title, { ...base, x: x + 4, y: y + 3, face: 'bold', colour: '#ffffff', width: width - 8 }) + 4
    } else if (look.titleLook === 'small')
      y = write(press, look.title, { ...base, x, y, size: style.size * 0.8, colour: style.grey })
    else y = write(press, look.title + style.suffix, { ...base, x, y, face: 'bold' })
  }
  if (!look.hideName)
    y = write(press, party.name, { ...base, x, y, face: 'bold', size: look.nameSize ?? look.size ?? style.size })
  if (party.contact !== null) y = write(press, `${label('attention')} ${party.contact}`, { ...base, x, y })
  const address = [...party.addressLines, ...(party.country === null ? [] : [party.country])]
  for (const line of look.joined === undefined ? address : [address.join(look.joined)])
    y = write(press, line, { ...base, x, y })
  for (const line of reachLines(press, party)) y = write(press, line, { ...base, x, y })
  return y
}

const colourOf = (look: { colour?: string }) => (look.colour === undefined ? {} : { colour: look.colour })

/** Phone, fax, mail, web and VAT id of a party, each with its label. */
export function reachLines(press: Press, party: Party): string[] {
  const named = (key: 'phone' | 'fax' | 'vatId', value: string | null) =>
    value === null ? [] : [`${press.label(key)}${press.style.suffix === ' :' ? ' :' : press.style.suffix} ${value}`]
  return [
    ...named('phone', party.phone),
    ...named('fax', party.fax),
    ...(party.email === null
      ? []
      : [
          press.label('email').length > 9 ? party.email : `${press.label('email')}${press.style.suffix} ${party.email}`,
        ]),
    ...(party.website === null ? [] : [party.website]),
    ...named('vatId', party.vatId),
  ]
}

/** An IBAN in groups of four, as paper shows it. */
export const groupIban = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1 ')

export function bankPairs(press: Press, account: BankAccount): Pair[] {
  const { label } = press
  return pairsOf([
    [label('bank'), account.bank],
    account.iban === null ? [label('accountNumber'), account.accountNumber] : [label('iban'), groupIban(account.iban)],
    [label('bic'), account.bic],
  ])
}

/** Page numbers at the foot of every page, for documents that have buffered their pages. */
export function numberPages(
  press: Press,
  look: { y: number; align: 'left' | 'center' | 'right'; always: boolean },
): void {
  const { doc, label, style } = press
  const { start, count } = doc.bufferedPageRange()
  if (count < 2 && !look.always) return
  for (let n = 0; n < count; n++) {
    doc.switchToPage(start + n)
    const text = `${label('page')} ${n + 1} ${label('of')} ${count}`
    const width = doc.page.width - 2 * style.margin
    write(press, text, { x: style.margin, y: look.y, width, align: look.align, size: 7.5, colour: style.grey })
  }
}
