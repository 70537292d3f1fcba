import type { Json } from '@skillrun/core/json.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../extract/testing/extracted.ts'

const yesNo = { type: ['boolean', 'null'] }
const choice = (...choices: string[]) => ({ enum: [...choices, null] })
const answers = (text: string, properties: { [key: string]: Json }) => fieldsOf(text, { type: 'object', properties })

describe('the boxes of a form', () => {
  test('answer each question of a line, with what an answer adds', () => {
    const text =
      'Tax exempt?  ( ) Yes (X) No   Purchase orders required? (X) Yes ( ) No\nTaken to hospital? [ ] Yes, by car         [X] No\nVaccinated? (X) Yes ( ) No\n'
    const fields = {
      is_tax_exempt: yesNo,
      purchase_orders_required: yesNo,
      was_taken_to_hospital: yesNo,
      has_been_vaccinated: yesNo,
    }
    expect(answers(text, fields)).toEqual({
      is_tax_exempt: false,
      purchase_orders_required: true,
      was_taken_to_hospital: false,
      has_been_vaccinated: true,
    })
  })

  test('answer in other languages, behind their words too', () => {
    const text = 'Raucher: [ ] ja [X] nein   Schwanger: [X] ja [ ] nein\nDemande urgente   OUI ☑  NON ☐\n'
    expect(answers(text, { smoker: yesNo, raucher: yesNo, pregnant: yesNo, urgent: yesNo })).toEqual({
      smoker: null,
      raucher: false,
      pregnant: true,
      urgent: true,
    })
  })

  test('below the headings of a table answer the question of their row', () => {
    const rows = [
      'Condition        Yes   No',
      'Asthma           ☒     ☐',
      'Diabetes         ☐     ☒',
      'Gout             ☐     ☐',
    ]
    expect(answers(rows.join('\n'), { asthma: yesNo, diabetes: yesNo, gout: yesNo })).toEqual({
      asthma: true,
      diabetes: false,
      gout: null,
    })
  })

  test('say of each option whether it is ticked, with the label of the row', () => {
    const text = 'Certificates: ☒ CE ☐ UL ☒ EAC\nServices required\n☒ Cleaning\n☐ Painting\n☒ Repairs\n'
    const fields = { ce_certified: yesNo, ul_certified: yesNo, cleaning: yesNo, painting: yesNo, repairs: yesNo }
    expect(answers(text, fields)).toEqual({
      ce_certified: true,
      ul_certified: false,
      cleaning: true,
      painting: false,
      repairs: true,
    })
  })

  test('say what an option of one row is, and not that of another', () => {
    const text = 'Morning: ☒ tea ☐ coffee\nEvening: ☐ tea ☒ coffee\n'
    const fields = { morning_tea: yesNo, evening_tea: yesNo, evening_coffee: yesNo }
    expect(answers(text, fields)).toEqual({ morning_tea: true, evening_tea: false, evening_coffee: true })
  })

  test('give the ticked choice, by the words of the question or by those of the options', () => {
    const text =
      'Sex: M ☐ F ☒\nCivil state: ☐ single ☒ married ☐ widowed\nTransporte ☐ Aéreo/Air ☒ Terrestre/Land ☐ Acuático/Sea\n'
    const fields = {
      sex: choice('male', 'female'),
      marital_status: choice('single', 'married', 'widowed'),
      means_of_transport: choice('air', 'land', 'sea'),
    }
    expect(answers(text, fields)).toEqual({ sex: 'female', marital_status: 'married', means_of_transport: 'land' })
  })

  test('give nothing where two questions have the choices of a field and neither its name', () => {
    const text = 'Priority   ☐ low   ☐ medium   ☒ high\nSeverity   ☒ low   ☐ medium   ☐ high\n'
    const levels = choice('low', 'medium', 'high')
    expect(answers(text, { priority: levels, severity: levels })).toEqual({ priority: 'high', severity: 'low' })
    expect(answers(text, { weight_class: levels })).toEqual({ weight_class: null })
  })

  test('give no choice that two options mean', () => {
    const text = 'Visit: ☒ first visit, morning ☐ first visit, evening ☐ follow-up\n'
    expect(answers(text, { kind_of_visit: choice('first visit', 'follow-up') })).toEqual({ kind_of_visit: null })
  })

  test('give nothing where both or neither are ticked, nor for one of two questions that are as like', () => {
    const text =
      'Chest pain?  ☒ Yes ☒ No\nDizziness? ☐ Yes ☐ No\nDriver injured? ☐ Yes ☒ No\nPassenger injured? ☒ Yes ☐ No\n'
    expect(answers(text, { chest_pain: yesNo, dizziness: yesNo, injured: yesNo })).toEqual({
      chest_pain: null,
      dizziness: null,
      injured: null,
    })
    expect(answers(text, { driver_injured: yesNo })).toEqual({ driver_injured: false })
  })

  test('of two columns with answers to one question say nothing', () => {
    const text = 'Spare wheel   ☒ yes ☐ no   ☐ yes ☒ no\n'
    expect(answers(text, { spare_wheel_returned: yesNo })).toEqual({ spare_wheel_returned: null })
  })

  test('of a denial do not say what is denied', () => {
    const text =
      'No allergies: ☒ Yes ☐ No\n☐ I do not want the newsletter\nResult: ☒ not passed\nMenu: ☐ nicht vegetarisch ☒ vegan\nFor resale: ☒ not for resale\n'
    const fields = {
      allergies: yesNo,
      wants_newsletter: yesNo,
      result_passed: yesNo,
      is_vegetarian: yesNo,
      not_for_resale: yesNo,
    }
    expect(answers(text, fields)).toEqual({
      allergies: null,
      wants_newsletter: null,
      result_passed: false,
      is_vegetarian: null,
      not_for_resale: true,
    })
  })

  const topics = ['Smoker', 'Pregnant', 'Insured', 'Vaccinated', 'Interpreter needed', 'Tax exempt', 'Pets allowed']
  const question = fc.record({
    topic: fc.constantFrom(...topics),
    isYes: fc.boolean(),
    yesFirst: fc.boolean(),
    isInFront: fc.boolean(),
    glyphs: fc.constantFrom(['☒', '☐'], ['[X]', '[ ]'], ['(X)', '( )'], ['☑', '☐']),
    words: fc.constantFrom(['Yes', 'No'], ['yes', 'no'], ['ja', 'nein'], ['oui', 'non'], ['sí', 'no']),
  })
  test('answer every question of a form, and only that', () => {
    fc.assert(
      fc.property(fc.uniqueArray(question, { minLength: 1, maxLength: 6, selector: ({ topic }) => topic }), (form) => {
        const lines = form.map(
          ({ topic, isYes, yesFirst, isInFront, glyphs: [full = '', empty = ''], words: [yes = '', no = ''] }) => {
            const boxed = (word: string, isTicked: boolean): string => {
              const box = isTicked ? full : empty
              return isInFront ? `${box} ${word}` : `${word} ${box}`
            }
            const both = [boxed(yes, isYes), boxed(no, !isYes)]
            return `${topic}${isInFront ? '?' : ':'} ${(yesFirst ? both : both.toReversed()).join(' ')}`
          },
        )
        const nameOf = (topic: string): string => topic.toLowerCase().replaceAll(' ', '_')
        const asked = Object.fromEntries(topics.map((topic) => [nameOf(topic), yesNo]))
        const expected = Object.fromEntries(
          topics.map((topic) => [nameOf(topic), form.find((one) => one.topic === topic)?.isYes ?? null]),
        )
        expect(answers(lines.join('\n'), asked), lines.join('\n')).toEqual(expected)
      }),
      { numRuns: 150 },
    )
  })
})
