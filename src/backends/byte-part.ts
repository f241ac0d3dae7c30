/** Bytes in a longer array. An array of its own for each of very many blobs costs more than reading them. */
export class BytePart {
  constructor(
    readonly whole: Uint8Array,
    readonly from = 0,
    readonly to = whole.length,
  ) {}
}
