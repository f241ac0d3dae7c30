export interface Server {
  readonly url: string
  readonly folder: string
  readonly pid: number
}

export interface ServerOptions {
  readonly flush?: boolean
  readonly settings?: Readonly<Record<string, string>>
}

export function postgresPrograms(): Promise<string | undefined>
export function startPostgres(programs: string, options?: ServerOptions): Promise<Server>
export function restartPostgres(programs: string, folder: string, options?: ServerOptions): Promise<Server>
export function stopPostgres(server: Pick<Server, 'pid' | 'folder'>, options?: { readonly keep?: boolean }): Promise<void>
