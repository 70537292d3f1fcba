/** The stages from instructions to a program. */
const steps = ['Instructions and schema', 'Test cases', 'Evaluation', 'Program'] as const

/** Progress of a stage; `done` ones are complete. */
export function SkillPath({ done }: { done: number }) {
  return (
    <ol class="path" aria-label="Steps of making a skill">
      {steps.map((name, index) => (
        <li
          key={name}
          class={index < done ? 'done' : index === done ? 'now' : ''}
          aria-current={index === done ? 'step' : undefined}
        >
          <i aria-hidden="true">{index < done ? '✓' : index + 1}</i>
          <span>{name}</span>
        </li>
      ))}
    </ol>
  )
}
