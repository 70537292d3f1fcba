import type { Canvas } from '../canvas.ts'
import type { BankAccount, Party } from '../facts/parties.ts'
import { drawBox, drawLogo, drawRule, lineHeight, type Place, type TextLook, textWidth, write } from '../ink.ts'
import { joinParts, type Pair, pairsOf } from './pairs.ts'

export interface PartyLook {
  /** The look of the title above the party; no title when omitted. */
  readonly title?: 'bold' | 'small' | 'band' | 'colon' | 'beside'
  readonly align?: 'left' | 'right' | 'center'
  /** Text size, and the name's size, relative to the document's. */
  readonly scale?: number
  readonly name?: number | 'hidden'
  /** The whole address on one line. */
  readonly joined?: boolean
  /** Phone, e-mail and tax number: one per line, in one line, or omitted. */
  readonly reach?: 'lines' | 'run-on' | 'none'
  readonly logo?: boolean
  /** The sender's name and address small and underlined above, for a window envelope. */
  readonly window?: Party
}

export const addressLinesOf = (party: Party): string[] => [
  ...party.addressLines,
  ...(party.country === null ? [] : [party.country]),
]

/** Draws a name with address and contact data, and returns the y below. */
export function drawParty(canvas: Canvas, at: Place & { title: string; party: Party; look: PartyLook }): number {
  const { style, random } = canvas
  const { look, party } = at
  const size = style.size * (look.scale ?? 1)
  let { x, y, width } = at
  if (look.logo) {
    drawLogo(canvas, { x, y, size: 30 })
    x += 40
    width -= 40
  }
  const base = { size, align: look.align ?? ('left' as const) }
  const put = (text: string, set: TextLook = {}) => {
    y = write(canvas, text, { ...base, ...set, x, y, width })
  }
  if (look.window !== undefined) {
    const small = { size: 6.5, colour: style.grey }
    const sender = [look.window.name, ...look.window.addressLines].join(random.pick([' · ', ', ', ' - ', ' | ']))
    put(sender, small)
    drawRule(canvas, { x, y, width: Math.min(width, textWidth(canvas, sender, small)), thickness: 0.4 })
    y += 8
  }
  if (look.title === 'band') {
    const height = lineHeight(canvas, base) + 4
    drawBox(canvas, { x, y, width, height, fill: style.accent })
    write(canvas, at.title, { x: x + 4, y: y + 3, width: width - 8, size, face: 'bold', colour: '#ffffff' })
    y += height + 3
    x += 4
    width -= 8
  } else if (look.title === 'small') put(at.title, { size: size * 0.8, colour: style.grey })
  else if (look.title === 'bold') put(at.title + style.suffix, { face: 'bold' })
  else if (look.title === 'colon') put(`${at.title}:`)
  else if (look.title === 'beside') {
    write(canvas, at.title, { x, y, size, width: width * 0.28 - 8, face: 'bold' })
    x += width * 0.28
    width *= 0.72
  }
  if (look.name !== 'hidden') put(party.name, { face: 'bold', size: style.size * (look.name ?? look.scale ?? 1) })
  if (party.contact !== null) put(`${canvas.label('attention')} ${party.contact}`)
  const joiner = look.joined ? random.pick([', ', ' · ', ' - ']) : '\n'
  put(addressLinesOf(party).join(joiner))
  const reach = look.reach === 'none' ? [] : reachLines(canvas, party)
  const parts =
    look.reach === 'run-on' ? joinParts(canvas, reach, random.pick(['  ·  ', '   ', ' | ']), { size, width }) : reach
  for (const line of parts) put(line)
  if (look.title === 'beside') drawRule(canvas, { ...at, y: y + 1, thickness: 0.4, colour: '#bbbbbb' })
  return y + (look.title === 'beside' ? 6 : 0)
}

/** Phone, fax, e-mail, web and tax number of a party, each with its label. */
export function reachLines(canvas: Canvas, party: Party): string[] {
  const { label, style } = canvas
  const named = (key: 'phone' | 'fax' | 'vatId', value: string | null) =>
    value === null ? [] : [`${label(key)}${style.suffix} ${value}`]
  const mail = label('email').length > 9 ? '' : `${label('email')}${style.suffix} `
  return [
    ...named('phone', party.phone),
    ...named('fax', party.fax),
    ...(party.email === null ? [] : [mail + party.email]),
    ...(party.website === null ? [] : [party.website]),
    ...named('vatId', party.vatId),
  ]
}

/** An IBAN in groups of four, as printed. */
export const groupIban = (iban: string) => iban.replace(/(.{4})(?=.)/g, '$1 ')

export const bankPairs = (canvas: Canvas, account: BankAccount | null): Pair[] =>
  account === null
    ? []
    : pairsOf(canvas, {
        bank: account.bank,
        accountNumber: account.iban === null ? account.accountNumber : null,
        iban: account.iban === null ? null : groupIban(account.iban),
        bic: account.bic,
      })
