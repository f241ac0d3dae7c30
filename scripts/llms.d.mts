export function llmsList(root: string): string
export function llmsFull(root: string): string
