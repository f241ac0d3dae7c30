import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { shippedStaticFolder } from './shipped.js'
import { openStaticEmbedder } from './static.js'

const embedder = openStaticEmbedder(shippedStaticFolder())
const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0)

describe('openStaticEmbedder', () => {
  it('gives related texts a higher similarity than unrelated ones', () => {
    const question = embedder.embed('how many days between two dates')
    const related = embedder.embed('function differenceInDays(dateLeft, dateRight) { return (dateLeft - dateRight) / DAY_MS }')
    const unrelated = embedder.embed('function parseHeaders(socket) { return socket.read().split(CRLF) }')
    expect(question).toHaveLength(256)
    expect(dot(question, related)).toBeGreaterThan(dot(question, unrelated) + 0.1)
  })

  it('splits identifiers at capitals, in ASCII and other text', () => {
    const words = embedder.embed('http server utf8 text file name')
    expect(embedder.embed('HTTPServer utf8Text fileName')).toEqual(words)
    expect(embedder.embed('é HTTPServer utf8Text fileName')).toEqual(embedder.embed('é http server utf8 text file name'))
  })

  it('ignores case and accents', () => {
    expect(embedder.embed('Éclair naïve')).toEqual(embedder.embed('eclair naive'))
  })

  it('accepts unusual texts, and reads only the beginning of a huge one', () => {
    for (const text of ['\ud800', 'a\0b', '日本語', '🎉', 'x'.repeat(300)])
      expect(dot(embedder.embed(text), embedder.embed(text))).toBeCloseTo(1, 5)
    expect(embedder.embed('').every((value) => value === 0)).toBe(true)
    expect(embedder.embed('é cat '.repeat(1_000_000))).toEqual(embedder.embed('é cat '.repeat(400)))
  })

  it('projects a vector of the transformer into its own space', () => {
    const projected = embedder.project(new Float32Array(384).fill(1 / Math.sqrt(384)))
    expect(projected).toHaveLength(256)
    expect(dot(projected, projected)).toBeCloseTo(1, 5)
    expect(() => embedder.project(new Float32Array(3))).toThrow('384')
  })

  it('reports a missing or damaged file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'mneme-static-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    expect(() => openStaticEmbedder(folder)).toThrow(/cannot be read/)
    writeFileSync(join(folder, 'static-gte-256.semb'), 'SEMBnothing that a table begins with')
    expect(() => openStaticEmbedder(folder)).toThrow(/SEMB version 1/)
    copyFileSync(join(shippedStaticFolder(), 'static-gte-256.semb'), join(folder, 'static-gte-256.semb'))
    writeFileSync(join(folder, 'gte-query-projection.f32'), 'short')
    expect(() => openStaticEmbedder(folder)).toThrow(/5 bytes instead of 394752/)
  })
})
