import { drawPairs, drawParty, numberPages } from '../blocks.ts'
import { drawBox, drawLogo, write } from '../ink.ts'
import type { StatementFacts } from '../statement-facts.ts'
import { composedStatements } from './composed.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { accountPairs, balancePairs, drawMovements, shortDay } from './statement-parts.ts'
import { moreStatements } from './statements-more.ts'
import { releasedStatements } from './statements-released-1.ts'
import { releasedStatementsTwo } from './statements-released-2.ts'
import { wideStatements } from './statements-wide.ts'
import { keptOutStatements } from './till-and-bank-kept-out.ts'
import { fourthStatements } from './till-and-bank-kept-out-4.ts'

/** Bank at the top, holder's address left, account data right, balances in a row over the movements. */
const bankLetter: Layout<StatementFacts> = {
  name: 'bank-letter',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 30 })
    write(press, facts.bank.name, {
      x: frame.x + 40,
      y: frame.y,
      size: style.size * 1.7,
      face: 'bold',
      colour: style.accent,
    })
    drawParty(press, {
      x: frame.x + 40,
      y: frame.y + style.size * 2.2,
      width: frame.width * 0.5,
      party: facts.bank,
      look: { hideName: true, size: 7, joined: ', ' },
    })
    const top = frame.y + 95
    const holderEnd = drawParty(press, {
      x: frame.x,
      y: top,
      width: frame.width * 0.42,
      party: nameAndAddress(facts.holder),
      look: {},
    })
    const metaX = frame.x + frame.width * 0.5
    const titleEnd = write(press, label('statement'), {
      x: metaX,
      y: top - 6,
      width: frame.right - metaX,
      size: style.size * 1.6,
      face: 'bold',
    })
    const pairs = accountPairs(press, facts).slice(random.chance(0.5) ? 1 : 0)
    const metaEnd = drawPairs(press, {
      x: metaX,
      y: titleEnd + 2,
      width: frame.right - metaX,
      pairs,
      look: random.pick(['columns', 'right', 'spread', 'inline', 'grid']),
    })
    let y = Math.max(holderEnd, metaEnd) + 18
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: balancePairs(press, facts, true),
        look: random.pick(['boxes', 'headed-row']),
      }) + 14
    drawMovements(press, facts, {
      x: frame.x,
      y,
      width: frame.width,
      withEnds: random.chance(0.3),
      writeRowDay: press.day,
      signs: random.pick(['minus', 'columns', 'columns', 'trailing', 'letters']),
    })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

/** A summary box beside the account's data, balances inside the table. */
const summary: Layout<StatementFacts> = {
  name: 'summary-box',
  keptOut: false,
  draw(press, facts) {
    const { doc, random, style, label } = press
    const frame = frameOf(press)
    drawBox(press, { x: 0, y: 0, width: doc.page.width, height: 48, fill: style.accent })
    write(press, facts.bank.name, { x: frame.x, y: 17, size: style.size * 1.5, face: 'bold', colour: '#ffffff' })
    write(press, label('statement'), {
      x: frame.x,
      y: 17,
      width: frame.width,
      align: 'right',
      size: style.size * 1.3,
      colour: '#ffffff',
    })
    const half = frame.width * 0.46
    const holderEnd = drawParty(press, {
      x: frame.x,
      y: 66,
      width: half,
      party: nameAndAddress(facts.holder),
      look: {},
    })
    const leftEnd = drawPairs(press, {
      x: frame.x,
      y: holderEnd + 10,
      width: half,
      pairs: accountPairs(press, facts).slice(1),
      look: random.pick(['columns', 'inline', 'above']),
    })
    const boxX = frame.right - half
    const boxEnd = drawPairs(press, {
      x: boxX + 8,
      y: 74,
      width: half - 16,
      pairs: balancePairs(press, facts, true),
      look: 'spread',
    })
    drawBox(press, { x: boxX, y: 66, width: half, height: boxEnd - 58, stroke: style.accent })
    const y = Math.max(leftEnd, boxEnd) + 20
    const end = drawMovements(press, facts, {
      x: frame.x,
      y,
      width: frame.width,
      withEnds: true,
      writeRowDay: random.chance(0.3) ? shortDay(press, facts) : press.day,
      signs: random.pick(['minus', 'columns', 'trailing', 'letters']),
    })
    if (facts.note !== null)
      write(press, facts.note, { x: frame.x, y: end + 12, width: frame.width, size: style.size * 0.85 })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.6) })
  },
}

export const statementLayouts: readonly Layout<StatementFacts>[] = [
  bankLetter,
  summary,
  ...moreStatements,
  ...wideStatements,
  ...composedStatements,
  ...releasedStatements,
  ...releasedStatementsTwo,
  ...keptOutStatements,
  ...fourthStatements,
]
