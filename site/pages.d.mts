export const SECTIONS: readonly (readonly [string, readonly string[]])[]
