import type { Command } from 'commander'

export interface ConsoleCommand {
  /** Whether to open a browser. */
  readonly open: boolean
  /** Uses example memories in a temporary folder. */
  readonly demo?: boolean
}

/** Commands that open the console in a browser; no other command opens one. */
export function addConsoleCommands(program: Command, serve: (command: ConsoleCommand) => Promise<void>): void {
  const add = (name: string, description: string, options: Omit<ConsoleCommand, 'open'>): void => {
    const command = program.command(name).description(description).option('--no-open', 'print the link, and open no browser')
    command.action(() => serve({ ...options, open: command.opts().open !== false }))
  }
  add('console', 'See, search and correct the memory in a browser', {})
  add('demo', 'Open the console on about 2,000 example memories in a temporary folder', { demo: true })
}
