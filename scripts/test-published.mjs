// npm run test:package: installs and uses the packages. `-- nodes` runs the store tests on other Node versions, `-- image` the container.
const SUITES = { nodes: './test-nodes.mjs', image: './test-image.mjs' }

const [, , name] = process.argv
const suite = Object.hasOwn(SUITES, name ?? '') ? SUITES[name] : undefined
if (suite !== undefined) process.argv.splice(2, 1)
await import(suite ?? './test-package.mjs')
