// Writes dist/texts.json: the help of every command and the completion scripts, so that printing them loads no parser.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './install.mjs'

const SHELLS = ['bash', 'zsh', 'fish']

export async function writeTexts() {
  const { runProgram } = await import(pathToFileURL(join(root, 'dist', 'program', 'run-program.js')).href)
  const textOf = async (argv) => {
    let text = ''
    const terminal = { outputIsTerminal: false, errorIsTerminal: false, out: (part) => (text += part), err: (part) => (text += part) }
    const code = await runProgram(argv, { terminal, env: {}, cwd: root })
    if (code !== 0) throw new Error(`mneme ${argv.join(' ')} failed: ${text}`)
    return text
  }
  const texts = { help: await textOf(['help']) }
  for (const shell of SHELLS) texts[`completion ${shell}`] = await textOf(['completion', shell])
  // `call` has hundreds of tools: their help is made when it is asked for.
  const paths = [...texts['completion bash'].matchAll(/^ {6}' ([^']+)'\) path=/gm)].map(([, path]) => path)
  for (const path of paths.filter((one) => !one.startsWith('call '))) texts[`help ${path}`] = await textOf(['help', ...path.split(' ')])
  writeFileSync(join(root, 'dist', 'texts.json'), JSON.stringify(texts))
}
