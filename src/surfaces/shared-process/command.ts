/** The command under which a shared process is started. */
export const SHARED_COMMAND = 'shared-process'
/** Exit code of a process that found another one already listening. */
export const EXIT_TAKEN = 75
