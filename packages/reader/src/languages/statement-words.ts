import { remembered } from '../layout/remembered.ts'
import type { PhraseTarget } from './phrase-book.ts'

/** The sense of a single word of a label on an account statement. */
type Sense =
  | 'balance'
  | 'open'
  | 'close'
  | 'carry'
  | 'credit'
  | 'debit'
  | 'paid'
  | 'in'
  | 'out'
  | 'total'
  | 'account'
  | 'statement'
  | 'number'
  | 'date'
  | 'iban'
  | 'international'
  | 'filler'

/** Words of labels in English, German, French, Spanish, Italian, Dutch and Portuguese, folded. */
const senses: readonly (readonly [Sense, RegExp])[] = [
  ['balance', /^(?:balance|bal|saldo|solde|stand|bestand|\w*saldo|\w*bestand|\w*kontostand|eindstand|beginstand)$/],
  [
    'open',
    /^(?:start\w*|aanvang|comienzo|partida|partenza|periodenbeginn|opening|beginning|begin|begins?aldo|starting|start|initial|previous|prior|last|old|brought|bf|alte[rn]?|alt|letzte[rn]?|vorherige[rn]?|vorige[rn]?|anfang\w*|eroffnung\w*|vortrag\w*|saldovortrag|ancien|precedent|depart|debut|ouverture|reporte|report|anterior|previo|inicial|inicio|apertura|abertura|iniziale|inizio|precedente|riporto|vorig|oude?|begin\w*|openings\w*)$/,
  ],
  [
    'close',
    /^(?:periodenende|finishing|fim|termine|ultim[oa]|laatste|einde|huidige?|resultante|dernier|closing|close|ending|end|final|new|carried|cf|current|schluss\w*|abschluss\w*|neue[rn]?|neu|end\w*|aktuelle[rn]?|cloture|fin|arrete|jour|nouveau|actuel|cierre|nuevo|actual|finale|fine|chiusura|nuovo|attuale|eind\w*|slot\w*|nieuwe?|fecho|encerramento|novo|atual)$/,
  ],
  ['carry', /^(?:forward|fwd)$/],
  [
    'credit',
    /^(?:geldeingange?|recettes|ingresado|abonad[oa]|ontvangst\w*|credits?|credited|deposits?|deposited|received|receipts|eingange?|gutschriften?|zugange?|einnahmen|einzahlung(?:en)?|gunsten|haben|entrees?|versements?|abonos?|ingresos?|depositos?|entradas?|haber|accrediti|entrate|avere|versamenti|bij|bijgeschreven|bijschrijving(?:en)?|ontvangen|ontvangsten|inkomsten|creditos?|recebimentos?|recebido)$/,
  ],
  [
    'debit',
    /^(?:geldausgange?|depenses|gastos|gastado|uitgegeven|betaald|pagamenti|paiements|debits?|debited|withdrawals?|withdrawn|spent|charges|belastung(?:en)?|ausgange?|ausgaben|auszahlung(?:en)?|abbuchungen|abgange?|lastschriften|soll|lasten|sorties?|retraits?|cargos?|adeudos?|salidas?|retiros|debe|addebiti|uscite|dare|prelievi|af|afgeschreven|afschrijving(?:en)?|uitgaven|opnames|debet|debitos?|saidas?|levantamentos?)$/,
  ],
  ['paid', /^(?:paid|money|payments?)$/],
  ['in', /^in$/],
  ['out', /^out$/],
  [
    'total',
    /^(?:all|alle|ensemble|sumas?|som|tot|totali|totais|totales|totals?|totale|totaal|totaux|sum|sums|summe|gesamt\w*|somme|soma|somma)$/,
  ],
  [
    'account',
    /^(?:cta|rek|rapporto|accounts?|acct|acc|ac|konto|kontos|compte|cuenta|conto|rekening|conta|cc|ccc|ktonr|kontonr|kontonummer|rekeningnummer|rekeningnr|bankrekening)$/,
  ],
  [
    'statement',
    /^(?:extrait|stmt|rendiconto|overzicht|rekeningoverzicht|statement|auszug|auszugs\w*|kontoauszug\w*|releve|extracto|extrato|estratto|afschrift\w*|rekeningafschrift)$/,
  ],
  [
    'number',
    /^(?:no|nr|num|number|numero|nummer|ref|ktonr|kontonr|kontonummer|rekeningnummer|rekeningnr|ccc|code|id)$/,
  ],
  ['date', /^(?:date|dated|datum|data|fecha|dd|vom|issued|issue)$/],
  ['iban', /^(?:iban|ibannr|ibannummer|nib)$/],
  ['international', /^(?:international\w*|internationale|internacional|internazionale)$/],
  [
    'filler',
    /^(?:periode?n?|periodo|mes|mois|maand|sequence|lfd|laufende|of|the|your|our|this|for|at|on|as|to|pay|until|per|am|vom|zum|zu|ihre?n?|auf|der|des|die|du|de|la|le|les|l|d|au|al|a|el|los|del|della|dei|degli|da|do|das|dos|em|van|op|het|uw|votre|su|vostro|seu|eur|usd|gbp|chf|cad|aud|and|und|et|y|e|en|period\w*|month|coordinate|amount|ce)$/,
  ],
]

const sensesOf: (word: string) => readonly Sense[] = remembered((word) =>
  senses.filter(([, pattern]) => pattern.test(word)).map(([sense]) => sense),
)

/** The weight of a statement label composed from its words. */
const weight = 0.95
/** The maximum number of words of a label; longer text is running text. */
const wordsMax = 8

/**
 * The meaning of a statement label from its words: `Last statement balance`, `Solde arrêté au`, `Summe Eingänge`.
 * `words` are folded. Null when they have none.
 */
export function meaningOfStatementWords(words: readonly string[]): readonly PhraseTarget[] | null {
  if (words.length === 0 || words.length > wordsMax) return null
  const said = new Set<Sense>()
  for (const word of words) {
    const found = sensesOf(word)
    if (found.length === 0) return null
    for (const sense of found) said.add(sense)
  }
  const id = idOf((...wanted) => wanted.every((sense) => said.has(sense)))
  return id === null ? null : [{ target: `c:${id}`, weight }]
}

function idOf(has: (...wanted: Sense[]) => boolean): string | null {
  const isMoney = has('balance') || has('credit') || has('debit') || has('total')
  if (has('iban') && !isMoney) return 'iban'
  const isCarried = has('open', 'carry') || has('close', 'carry')
  if (has('balance') || isCarried) {
    if (has('credit') || has('debit') || has('total')) return null
    const isClosing = has('close')
    if (has('open') && isClosing) return null
    if (isClosing) return 'closing_balance'
    return has('open') || has('carry') ? 'opening_balance' : null
  }
  if (isMoney || has('paid')) return totalOf(has)
  if (has('account', 'number') && !has('statement')) return has('international') ? 'iban' : 'account_number'
  if (has('statement', 'number') && !has('date')) return 'statement_number'
  return has('statement', 'date') && !has('number') ? 'statement_date' : null
}

/** The side of a sum of movements: `Total of deposits`, `Total paid out`. */
function totalOf(has: (...wanted: Sense[]) => boolean): string | null {
  if (!has('total')) return null
  const isCredit = has('credit') || (has('paid', 'in') && !has('out'))
  const isDebit = has('debit') || (has('paid', 'out') && !has('in'))
  if (isCredit === isDebit) return null
  return isCredit ? 'total_credits' : 'total_debits'
}
