import { crc32, deflateRawSync } from 'node:zlib'

export interface ZippedFile {
  readonly path: string
  readonly content: string | Uint8Array
  /** Bits of the general purpose flag; 1 is encrypted. */
  readonly flags?: number
  readonly method?: number
  /** Unix mode of the entry, such as that of a link. */
  readonly mode?: number
  /** A size that the entry states, whatever it holds. */
  readonly statedSize?: number
}

/** The checksum is not verified by readers that stop at the stated size, so any value serves where Node has none. */
const checksum = (bytes: Uint8Array): number => (typeof crc32 === 'function' ? crc32(bytes) : 0)

/** A zip archive of these files, valid or not. */
export function zipFile(files: readonly ZippedFile[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { path, content, flags = 0, method = 8, mode = 0o100644, statedSize } of files) {
    const bytes = Buffer.from(content)
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const name = Buffer.from(path)
    const size = statedSize ?? bytes.length
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    header.writeUInt16LE(20, 4)
    header.writeUInt16LE(flags, 6)
    header.writeUInt16LE(method, 8)
    header.writeUInt32LE(checksum(bytes), 14)
    header.writeUInt32LE(packed.length, 18)
    header.writeUInt32LE(size, 22)
    header.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(0x0314, 4)
    header.copy(entry, 6, 4, 30)
    entry.writeUInt16LE(0, 30)
    entry.writeUInt32LE((mode << 16) >>> 0, 38)
    entry.writeUInt32LE(offset, 42)
    parts.push(header, name, packed)
    directory.push(entry, name)
    offset += 30 + name.length + packed.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, central, end])
}
