import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { nodeIdOf } from '../core/federation/signature.js'
import { MemoryError } from '../errors.js'
import type { NodeIdentity } from '../ports/node-identity.js'

const PRIVATE_MODE = 0o600

/** The key of this node, created on first use; only its user can read the file. */
export async function openNodeIdentity(file: string): Promise<NodeIdentity> {
  const key = createPrivateKey(await readOrMake(file))
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  if (key.asymmetricKeyType !== 'ed25519' || x === undefined)
    throw new MemoryError('storage', `${file} holds no Ed25519 key.`, { hint: 'Put the right file back; a new key makes this a new node.' })
  return { id: nodeIdOf(x), publicKey: x, sign: (text) => sign(null, Buffer.from(text), key).toString('base64url') }
}

async function readOrMake(file: string): Promise<string> {
  const known = await readKey(file)
  if (known !== undefined) return known
  await mkdir(dirname(file), { recursive: true })
  const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  try {
    const handle = await open(file, 'wx', PRIVATE_MODE)
    try {
      await handle.writeFile(made)
      await handle.sync()
    } finally {
      await handle.close()
    }
    return made
  } catch (failure) {
    // Another process created the key first.
    const other = failure instanceof Error && 'code' in failure && failure.code === 'EEXIST' ? await readKey(file) : undefined
    if (other !== undefined) return other
    throw failure
  }
}

async function readKey(file: string): Promise<string | undefined> {
  const found = await stat(file).catch(() => undefined)
  if (found === undefined) return undefined
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new MemoryError('forbidden', `${file} can be read by others.`, { hint: `Make it private: chmod 600 ${file}` })
  return readFile(file, 'utf8')
}
