import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Folders whose tests start programs, browsers or servers, or try random histories. */
const HEAVY = /\/test\/(?:console|wire|postgres|properties|hooks|http-access|client|docs|code|import)\//u

/** Starts the longest files first, so that no worker is left with one of them at the end. Known durations come before the folder. */
export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isHeavy = ({ moduleId }: TestSpecification): boolean => HEAVY.test(moduleId)
    return [...sorted.filter(isHeavy), ...sorted.filter((file) => !isHeavy(file))]
  }
}
