import type { Command } from 'commander'
import type { Answer } from '../../contracts/operation.js'
import { counted, numberOf, type PlainText, paragraph, rowOf, wordOf } from '../../contracts/plain-text.js'

interface SharedContext {
  readonly program: Command
  stopShared(): Promise<number | null>
  print(answer: Answer, text: PlainText): void | Promise<void>
}

/** `stop`. */
export function addSharedCommands({ program, stopShared, print }: SharedContext): void {
  program
    .command('stop')
    .description('Stop the shared process of this store')
    .action(async () => {
      const pid = await stopShared()
      await print({ stopped: pid !== null, pid }, () =>
        pid === null ? 'No shared process is running.' : `Stopped the shared process ${pid}.`,
      )
    })
}

/** The text of `status`, with the shared process if one is running. */
export const withSharedProcess =
  (text: PlainText): PlainText =>
  (answer, reader) => {
    const { pid, clients, since } = rowOf(answer.shared_process)
    const line = `Shared process ${wordOf(pid)}: ${counted(numberOf(clients), 'client')}, running since ${reader.time(wordOf(since))}.`
    return paragraph(text(answer, reader), pid === undefined ? undefined : line)
  }
