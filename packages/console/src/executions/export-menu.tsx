import { Menu } from '../parts/buttons.tsx'
import { save } from '../parts/save.ts'
import type { Execution } from '../wire.ts'
import { valuesAsCsv } from './csv.ts'

/** The answer as a file. */
export function ExportMenu({ execution }: { execution: Execution }) {
  const { id, response, evidence } = execution
  return (
    <Menu name="Export">
      <button type="button" onClick={() => save(`${id}.json`, 'application/json', indented(response))}>
        Answer as JSON
      </button>
      <button
        type="button"
        onClick={() => save(`${id}-evidence.json`, 'application/json', indented({ response, evidence }))}
      >
        Answer and evidence as JSON
      </button>
      <button type="button" onClick={() => save(`${id}.csv`, 'text/csv', valuesAsCsv(response, evidence ?? {}))}>
        Values as CSV
      </button>
    </Menu>
  )
}

const indented = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
