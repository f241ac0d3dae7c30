export function nodeOf(major: string): Promise<string>
export function run(command: string, args: readonly string[], options?: { readonly cwd?: string }): Promise<string>
/** The path of a file of a package, which is installed into the cache of the checkout when it is missing. */
export function fetchTool(spec: string, name: string, file: string): Promise<string>
/** URL of the package registry, or undefined if unreachable. */
export function registryAddress(): Promise<string | undefined>
