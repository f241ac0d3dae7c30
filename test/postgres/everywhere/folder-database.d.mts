export declare function databaseOf(server: string, folder: string): Promise<string>
