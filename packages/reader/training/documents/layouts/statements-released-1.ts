import { drawPairs, drawParty, numberPages } from '../blocks.ts'
import { write } from '../ink.ts'
import type { StatementFacts } from '../statement-facts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { accountPairs, balancePairs, drawMovements, shortDay, writePeriod } from './statement-parts.ts'

/** Balances at the very top in a band of four, the holder at the right, account data at the foot of the first page. */
const balancesFirst: Layout<StatementFacts> = {
  name: 'balances-first',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.46
    const bankEnd = drawParty(press, {
      x: frame.x,
      y: frame.y,
      width: half,
      party: facts.bank,
      look: { nameSize: style.size * 1.4 },
    })
    const holderEnd = drawParty(press, {
      x: frame.right - half,
      y: frame.y,
      width: half,
      party: nameAndAddress(facts.holder),
      look: { title: label('holder'), align: 'right' },
    })
    let y = Math.max(bankEnd, holderEnd) + 14
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: balancePairs(press, facts, true),
        look: 'boxes',
        size: style.size * 1.15,
      }) + 8
    y =
      write(press, `${label('statement')} ${writePeriod(press, facts)}`, {
        x: frame.x,
        y,
        width: frame.width,
        align: 'center',
        face: 'bold',
      }) + 8
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: accountPairs(press, facts)
          .slice(1)
          .filter(([name]) => name !== label('period')),
        look: 'inline',
      }) + 12
    drawMovements(press, facts, {
      x: frame.x,
      y,
      width: frame.width,
      withEnds: random.chance(0.5),
      signs: random.pick(['minus', 'letters', 'columns']),
      writeRowDay: shortDay(press, facts),
    })
    numberPages(press, { y: frame.bottom + 4, align: 'left', always: true })
  },
}

/** Data in a grid between bank and holder, opening and closing balance above and below the movements at the right. */
const bracketed: Layout<StatementFacts> = {
  name: 'bracketed',
  keptOut: false,
  released: 1,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const third = frame.width / 3
    const title =
      write(press, label('statement').toUpperCase(), {
        ...frame,
        align: 'center',
        size: style.size * 1.4,
        face: 'bold',
      }) + 10
    const ends = [
      drawParty(press, { x: frame.x, y: title, width: third - 10, party: nameAndAddress(facts.holder), look: {} }),
      drawPairs(press, {
        x: frame.x + third,
        y: title,
        width: third * 2,
        pairs: accountPairs(press, facts).slice(1),
        look: 'grid',
      }),
    ]
    let y = Math.max(...ends) + 16
    const [opening, ...rest] = balancePairs(press, facts, true)
    y =
      opening === undefined
        ? y
        : write(press, `${opening[0]}${style.suffix} ${opening[1]}`, {
            x: frame.x,
            y,
            width: frame.width,
            align: 'right',
            face: 'bold',
          }) + 6
    y =
      drawMovements(press, facts, {
        x: frame.x,
        y,
        width: frame.width,
        withEnds: false,
        signs: random.pick(['columns', 'trailing']),
        writeRowDay: press.day,
      }) + 8
    for (const [name, value] of rest)
      y = write(press, `${name}${style.suffix} ${value}`, {
        x: frame.x,
        y,
        width: frame.width,
        align: 'right',
        face: 'bold',
      })
    drawParty(press, {
      x: frame.x,
      y: frame.bottom - 28,
      width: frame.width,
      party: facts.bank,
      look: { size: 7.2, joined: ', ', align: 'center' },
    })
    numberPages(press, { y: frame.bottom + 16, align: 'right', always: true })
  },
}

export const releasedStatements: readonly Layout<StatementFacts>[] = [balancesFirst, bracketed]
