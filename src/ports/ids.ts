/** New ids: 20 lower-case letters and digits, from a secure source. */
export interface Ids {
  mint(): string
}
