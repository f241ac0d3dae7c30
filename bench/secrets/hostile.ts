/** Texts of a megabyte that are expensive for matchers with lookahead or lookbehind. */
export function hostileTexts(): readonly { readonly name: string; readonly text: string }[] {
  const SIZE = 1_000_000
  const fill = (name: string, piece: string): { name: string; text: string } => ({
    name,
    text: piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE),
  })
  return [
    fill('names without end', 'password='),
    fill('names with colons', 'password:'),
    fill('open quotes', `password="${'a'.repeat(40)}`),
    fill('beginnings of keys', ['-----BEGIN ', 'PRIVATE KEY-----'].join('')),
    fill('beginnings of web tokens', 'eyJ.'),
    fill('one long word', 'eyJa'),
    fill('addresses', 'x://u:p'),
    fill('addresses with signs', 'a://b:c/@'),
    fill('hash signs', '$6$a'),
    fill('flags', '--password '),
    fill('bearers', 'Bearer '),
    fill('prefixes', 'sk-ghp_AKIA'),
    fill('backslashes', '\\'),
    fill('random words', 'token=aZ3x9Kq7Lm2Pv8Rt4Wy6Bn1Cd5Ef0Gh. '),
    fill('digits and colons', '12345678:'),
  ]
}
