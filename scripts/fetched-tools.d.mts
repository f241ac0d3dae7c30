export function nodeOf(major: string): Promise<string>
/** The path of a file of a package, which is installed into the cache of the checkout when it is missing. Flags go to the installer. */
export function fetchTool(spec: string, name: string, file: string, ...flags: readonly string[]): Promise<string>
/** URL of the package registry, or undefined if unreachable. */
export function registryAddress(): Promise<string | undefined>
export function run(
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly env?: Readonly<Record<string, string | undefined>> },
): Promise<string>
