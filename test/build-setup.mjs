import { readFileSync } from 'node:fs'
import { ensureBuilt } from '../scripts/build.mjs'

/** Tests that start real processes need a fresh dist; a run of unit tests alone does not wait for one. */
export default async function setup(project) {
  const { testFiles } = await project.globTestFiles(project.vitest.filenamePattern)
  if (testFiles.some((file) => readFileSync(file, 'utf8').includes('dist/'))) await ensureBuilt({ tolerant: true })
}
