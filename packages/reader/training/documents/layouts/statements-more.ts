import { drawPairs, drawParty, numberPages } from '../blocks.ts'
import { drawBox, drawLogo, drawRule, write } from '../ink.ts'
import type { StatementFacts } from '../statement-facts.ts'
import { frameOf, type Layout, nameAndAddress } from './layout.ts'
import { accountPairs, balancePairs, drawMovements, shortDay, writePeriod } from './statement-parts.ts'

/** Account data in a ruled row under the title; short dates in the rows; balances only as rows of the table. */
const passbook: Layout<StatementFacts> = {
  name: 'passbook',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    let y = write(press, facts.bank.name, { ...frame, size: style.size * 1.5, face: 'bold' })
    y =
      drawParty(press, {
        x: frame.x,
        y,
        width: frame.width,
        party: facts.bank,
        look: { hideName: true, size: 7, joined: ' - ' },
      }) + 8
    drawRule(press, { x: frame.x, y: y - 4, width: frame.width, thickness: 1.5 })
    y = write(press, label('statement'), { x: frame.x, y: y + 4, size: style.size * 1.5, face: 'bold' }) + 6
    y =
      drawParty(press, {
        x: frame.x,
        y,
        width: frame.width * 0.5,
        party: nameAndAddress(facts.holder),
        look: { title: label('holder'), titleLook: random.pick(['small', 'bold']) },
      }) + 10
    y =
      drawPairs(press, {
        x: frame.x,
        y,
        width: frame.width,
        pairs: accountPairs(press, facts).slice(1),
        look: random.pick(['headed-row', 'boxes']),
      }) + 14
    y = drawMovements(press, facts, {
      x: frame.x,
      y,
      width: frame.width,
      withEnds: true,
      signs: random.pick(['columns', 'letters', 'trailing', 'minus']),
      writeRowDay: shortDay(press, facts),
    })
    if (facts.creditsCents !== null)
      drawPairs(press, {
        x: frame.x,
        y: y + 8,
        width: frame.width * 0.5,
        pairs: balancePairs(press, facts, true).slice(1, 3),
        look: 'columns',
      })
    numberPages(press, { y: frame.bottom + 4, align: 'right', always: true })
  },
}

/** A tinted panel at the left with the account's data and balances, movements in the wide part. */
const sidePanel: Layout<StatementFacts> = {
  name: 'side-panel',
  keptOut: false,
  draw(press, facts) {
    const { doc, random, style, label } = press
    const frame = frameOf(press)
    const width = 160
    drawBox(press, { x: 0, y: 0, width, height: doc.page.height, fill: '#edf2ee' })
    const inner = { x: 16, width: width - 28 }
    const size = Math.min(8.5, style.size)
    drawLogo(press, { x: inner.x, y: 28, size: 30 })
    let y = drawParty(press, { ...inner, y: 70, party: facts.bank, look: { size, nameSize: style.size * 1.1 } }) + 14
    y = drawPairs(press, { ...inner, y, pairs: accountPairs(press, facts).slice(1), look: 'above', size }) + 8
    drawPairs(press, { ...inner, y, pairs: balancePairs(press, facts, true), look: 'above', size })
    const main = { x: width + 18, width: frame.right - width - 18 }
    let mainY =
      write(press, label('statement'), { ...main, y: 34, size: style.size * 1.8, face: 'bold', colour: style.accent }) +
      10
    mainY = drawParty(press, { ...main, y: mainY, party: nameAndAddress(facts.holder), look: {} }) + 18
    drawMovements(press, facts, {
      ...main,
      y: mainY,
      withEnds: false,
      signs: random.pick(['minus', 'columns']),
      writeRowDay: random.chance(0.5) ? press.day : shortDay(press, facts),
    })
    numberPages(press, { y: frame.bottom + 6, align: 'right', always: random.chance(0.5) })
  },
}

/** Title with the period under it, data in two columns of lines, sums under the movements. */
const twoColumns: Layout<StatementFacts> = {
  name: 'two-columns',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    const half = frame.width * 0.47
    write(press, facts.bank.name, {
      ...frame,
      align: 'right',
      size: style.size * 1.4,
      face: 'bold',
      colour: style.accent,
    })
    drawParty(press, {
      x: frame.right - half,
      y: frame.y + style.size * 2,
      width: half,
      party: facts.bank,
      look: { hideName: true, align: 'right', size: 7.2 },
    })
    let y = write(press, label('statement'), {
      x: frame.x,
      y: frame.y,
      width: half,
      size: style.size * 1.8,
      face: 'bold',
    })
    y = write(press, writePeriod(press, facts), { x: frame.x, y, width: half }) + 18
    const holderEnd = drawParty(press, { x: frame.x, y, width: half, party: nameAndAddress(facts.holder), look: {} })
    y = Math.max(holderEnd, frame.y + 96) + 12
    const pairs = accountPairs(press, facts).slice(random.chance(0.5) ? 1 : 0)
    const leftEnd = drawPairs(press, {
      x: frame.x,
      y,
      width: half,
      pairs,
      look: random.pick(['columns', 'inline', 'grid']),
    })
    const opening = drawPairs(press, {
      x: frame.right - half,
      y,
      width: half,
      pairs: balancePairs(press, facts, false).slice(0, 1),
      look: 'spread',
    })
    y = Math.max(leftEnd, opening) + 14
    y =
      drawMovements(press, facts, {
        x: frame.x,
        y,
        width: frame.width,
        withEnds: false,
        signs: random.pick(['minus', 'columns', 'letters']),
        writeRowDay: press.day,
      }) + 8
    drawPairs(press, {
      x: frame.right - half,
      y,
      width: half,
      pairs: balancePairs(press, facts, true).slice(1),
      look: 'spread',
    })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: true })
  },
}

/** An online bank's print: small captions in a row, no address of the bank, unruled movements. */
const online: Layout<StatementFacts> = {
  name: 'online',
  keptOut: false,
  draw(press, facts) {
    const { random, style, label } = press
    const frame = frameOf(press)
    drawLogo(press, { x: frame.x, y: frame.y, size: 22 })
    write(press, facts.bank.name, { x: frame.x + 30, y: frame.y + 4, size: style.size * 1.2, face: 'bold' })
    let y =
      write(press, label('statement'), { x: frame.x, y: frame.y + 40, size: style.size * 2, colour: style.accent }) + 8
    y =
      drawParty(press, {
        x: frame.x,
        y,
        width: frame.width,
        party: nameAndAddress(facts.holder),
        look: { joined: random.pick([', ', ' · ']) },
      }) + 10
    const pairs = [...accountPairs(press, facts).slice(1), ...balancePairs(press, facts, true)]
    const cell = frame.width / 3
    const step = style.size * 3.7
    for (const [n, pair] of pairs.entries())
      drawPairs(press, {
        x: frame.x + (n % 3) * cell,
        y: y + Math.floor(n / 3) * step,
        width: cell - 8,
        pairs: [pair],
        look: 'above',
      })
    y += Math.ceil(pairs.length / 3) * step + 12
    drawMovements(press, facts, {
      x: frame.x,
      y,
      width: frame.width,
      withEnds: false,
      signs: 'minus',
      writeRowDay: press.day,
      look: { lines: random.pick(['none', 'rules']), header: 'underlined' },
    })
    numberPages(press, { y: frame.bottom + 4, align: 'center', always: random.chance(0.5) })
  },
}

export const moreStatements: readonly Layout<StatementFacts>[] = [passbook, sidePanel, twoColumns, online]
