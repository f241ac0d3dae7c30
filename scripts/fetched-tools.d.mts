export function nodeOf(major: string): Promise<string>
export function run(command: string, args: readonly string[], options?: { readonly cwd?: string }): Promise<string>
