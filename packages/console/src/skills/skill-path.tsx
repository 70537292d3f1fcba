/** The way from instructions to a program that answers by itself. */
const steps = ['Instructions and schema', 'Test cases', 'Evaluation', 'Program'] as const

/** Where a person is on the way; `done` steps lie behind. */
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
