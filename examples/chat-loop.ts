// A chat that remembers: what is recalled goes in front of the question, and each turn is kept.
import { openMemory } from 'mneme'
import { connect, recallContext, rememberTurn } from 'mneme/client'
import { temporaryFolder } from './run-mneme.ts'

/** Replaces a language model: answers from its prompt. */
function scriptedModel(system: string | undefined, question: string): string {
  if (!question.endsWith('?')) return 'I will remember that.'
  const remembered = system?.split('\n').find((line) => line.includes('aisle'))
  return remembered === undefined ? 'I do not know.' : `You told me: ${remembered}`
}

const engine = await openMemory({ dataDir: temporaryFolder() })

async function chat(session: string, questions: readonly string[]): Promise<void> {
  const memory = connect(engine, { owner: 'ann', session })
  for (const question of questions) {
    const context = await recallContext(memory, question, { minRelevance: 0 })
    const answer = scriptedModel(context, question)
    console.log(`${session}> ${question}\n${answer}`)
    await rememberTurn(memory, question, answer)
  }
}

await chat('monday', ['On trains I always want a seat on the aisle.'])
await chat('friday', ['Which seat do I want on trains, window or aisle?'])
await engine.close()
