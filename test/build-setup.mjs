import { readFileSync } from 'node:fs'
import { ensureBuilt } from '../scripts/build.mjs'

/** By name, or through modules that start processes. */
const STARTS_A_PROCESS = /dist\/(?:main\.js|readers\/)|from '[./]+\/(?:wire\/)?(?:program|wire|start-writer)\.js'/u

/** Tests that start real processes need a fresh dist; a run of unit tests alone does not wait for one. */
export default async function setup(project) {
  const { testFiles } = await project.globTestFiles(project.vitest.filenamePattern)
  if (testFiles.some((file) => STARTS_A_PROCESS.test(readFileSync(file, 'utf8')))) await ensureBuilt({ tolerant: true })
}
