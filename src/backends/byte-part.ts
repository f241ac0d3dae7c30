/** A range of bytes in a longer array. One array per blob would cost more than reading them. */
export class BytePart {
  constructor(
    readonly whole: Uint8Array,
    readonly from = 0,
    readonly to = whole.length,
  ) {}
}
