import { Argument } from 'commander'
import type { Command } from '../command.ts'
import type { Terminal } from '../terminal.ts'

/** `skillrun completion`: a script with which a shell completes commands and options. */
export function addCompletion(program: Command, terminal: Terminal): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<SHELL>').choices(['bash', 'zsh', 'fish']))
    .examples(
      'source <(skillrun completion bash)',
      'source <(skillrun completion zsh)',
      'skillrun completion fish | source',
    )
    .action((shell: string) => {
      if (shell === 'fish') return terminal.print(fishScript(program))
      const start = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''
      terminal.print(start + bashScript(program))
    })
}

/** For bash, and zsh's emulation of it: completes the words of each command; anything else is a file. */
function bashScript(program: Command): string {
  const cases = wordsByCommand(program)
  const commands = [...cases.keys()].filter(Boolean)
  return `_skillrun() {
  local command='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${command:+$command }$word" in
${commands.map((command) => `      '${command}') command='${command}' ;;`).join('\n')}
    esac
  done
  case "$command" in
${[...cases].map(([command, words]) => `    '${command}') COMPREPLY=($(compgen -W '${words.join(' ')}' -- "\${COMP_WORDS[COMP_CWORD]}")) ;;`).join('\n')}
  esac
}
complete -o default -F _skillrun skillrun
`
}

/** For fish: offers the words of a command directly after it. */
function fishScript(program: Command): string {
  const cases = wordsByCommand(program)
  const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ')
  const lines = [...cases].map(([command, words]) => `    case '${command}'\n      printf '%s\\n' ${quoted(words)}`)
  return `function __skillrun_words
  set -l command ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$command $word")
    contains -- "$longer" ${quoted([...cases.keys()].filter(Boolean))}; and set command "$longer"
  end
  switch "$command"
${lines.join('\n')}
  end
end
complete -c skillrun -a '(__skillrun_words)'
`
}

function wordsByCommand(program: Command): Map<string, readonly string[]> {
  const cases = new Map<string, readonly string[]>()
  const globals = optionsOf(program)
  const visit = (command: Command, path: readonly string[]) => {
    const words = [...command.commands.map((each) => each.name()), ...optionsOf(command), ...globals, '--help']
    cases.set(path.join(' '), [...new Set(words)])
    for (const each of command.commands) visit(each, [...path, each.name()])
  }
  visit(program, [])
  return cases
}

const optionsOf = (command: Command): readonly string[] => command.options.flatMap(({ long }) => (long ? [long] : []))
