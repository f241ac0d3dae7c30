/** True at a terminal with colours, unless NO_COLOR is set (no-color.org). */
export const takesColours = (isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean =>
  isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
