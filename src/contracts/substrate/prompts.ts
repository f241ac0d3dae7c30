import type { Prompt } from '../contract.js'

const textOr = (value: string | undefined, otherwise: string): string =>
  value === undefined || value.trim() === '' ? otherwise : value.trim()

export const PROMPTS: readonly Prompt[] = [
  {
    name: 'memory_task_start',
    title: 'Start a task with memory',
    description: 'Ask the memory before work begins, and again in other words',
    arguments: [{ name: 'task', description: 'What is to be done', required: false }],
    render: ({ task }) => [
      {
        role: 'user',
        text:
          `Before you begin with ${textOr(task, 'the task at hand')}: query memory. Call memory_query with mode context and the task in one sentence. ` +
          'If little comes back, retry with expanded terms: synonyms, names of files, modules and people, and the words of the language the project is written in; then use mode search. ' +
          'Open what matters with expand or page, look at conflicts and at the status of each item (a candidate or contested one is not settled), and only then start.',
      },
    ],
  },
  {
    name: 'memory_review',
    title: 'Review what to remember',
    description: 'At the end of a task: what lasts, with evidence, and what may be there already',
    arguments: [{ name: 'outcome', description: 'What came of the task', required: false }],
    render: ({ outcome }) => [
      {
        role: 'user',
        text:
          `Review ${textOr(outcome, 'the outcome of this task')} for what will matter later: decisions and why, procedures, facts that cost effort to find, preferences of the person, work that is left. ` +
          'For each, search memory first, then call memory_remember with reason, memory_source, scope_refs and evidence_refs. ' +
          'Treat possible_duplicates in every answer: read both, then supersede one, keep both with clearer summaries or scopes, or contest them with memory_maintain resolve_duplicates. ' +
          'Supersede what is no longer true. Leave out secrets, transcripts and what only mattered today; if nothing lasts, write nothing.',
      },
    ],
  },
]
