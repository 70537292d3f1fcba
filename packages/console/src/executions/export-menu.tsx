import { Menu } from '../parts/buttons.tsx'
import { save } from '../parts/save.ts'
import type { Execution } from '../wire.ts'
import { answerOf, valuesAsCsv } from './csv.ts'

/** The answer as a file, with the corrections of a person. */
export function ExportMenu({ execution }: { execution: Execution }) {
  const { id, response, evidence, reviewed_response, review } = execution
  return (
    <Menu name="Export">
      <button type="button" onClick={() => save(`${id}.json`, 'application/json', indented(answerOf(execution)))}>
        Answer as JSON
      </button>
      <button
        type="button"
        onClick={() =>
          save(`${id}-evidence.json`, 'application/json', indented({ response, evidence, reviewed_response, review }))
        }
      >
        Answer and evidence as JSON
      </button>
      <button type="button" onClick={() => save(`${id}.csv`, 'text/csv', valuesAsCsv(execution))}>
        Values as CSV
      </button>
    </Menu>
  )
}

const indented = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
