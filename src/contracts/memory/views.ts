import { readFileSync } from 'node:fs'
import type { Resource } from '../contract.js'

export const RESULTS_VIEW = 'ui://mneme/results'
export const REVIEW_VIEW = 'ui://mneme/review'

/** Media type of the pages of MCP Apps. */
const VIEW_TYPE = 'text/html;profile=mcp-app'

/** Built from the components of the console, each in one file without anything to load. */
const page = (name: string): string => readFileSync(new URL(`../../console/${name}.html`, import.meta.url), 'utf8')

export const views: readonly Resource[] = [
  {
    uri: RESULTS_VIEW,
    name: 'results',
    title: 'Recalled memories',
    description: 'The results of recall, with forget, correct and why',
    mimeType: VIEW_TYPE,
    text: () => page('results'),
  },
  {
    uri: REVIEW_VIEW,
    name: 'review',
    title: 'Review',
    description: 'Memories that wait for a decision: candidates, conflicts and near duplicates',
    mimeType: VIEW_TYPE,
    text: () => page('review'),
  },
]
