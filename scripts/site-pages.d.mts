export declare function pagePaths(root: string): readonly string[]
export declare function gatherPages(root: string, target: string): void
