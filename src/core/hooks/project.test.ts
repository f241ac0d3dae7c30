import { expect, it } from 'vitest'
import { normalRemote, projectOwner, remoteIn } from './project.js'

it.each([
  ['git@github.com:Acme/Widget.git', 'github.com/acme/widget'],
  ['https://github.com/acme/widget', 'github.com/acme/widget'],
  ['https://user:secret@GitHub.com/acme/widget.git/', 'github.com/acme/widget'],
  ['ssh://git@github.com:22/acme/widget.git', 'github.com/acme/widget'],
  ['git+ssh://git@github.com/acme/widget.git', 'github.com/acme/widget'],
  ['git://example.org/Group/Sub/Repo', 'example.org/Group/Sub/Repo'],
  ['me@example.org:~/repo.git', 'example.org/~/repo'],
  ['host.example:path/repo', 'host.example/path/repo'],
  ['/srv/git/widget.git', undefined],
  ['../widget', undefined],
  ['file:///srv/git/widget.git', undefined],
  ['C:\\repos\\widget', undefined],
  ['https://example.org/.git', undefined],
  ['', undefined],
])('%s is %s', (address, name) => expect(normalRemote(address)).toBe(name))

it('keeps projects apart whose names differ in case, where the host does', () => {
  expect(normalRemote('git@example.org:a/Repo.git')).not.toBe(normalRemote('git@example.org:a/repo.git'))
})

it('takes origin, else the first remote', () => {
  expect(remoteIn('[remote "up"]\n\turl = a\n[remote "origin"]\n\tfetch = x\n\turl = b\n[branch "main"]\n\turl = c\n')).toBe('b')
  expect(remoteIn('[core]\n\tbare = false\n[remote "up"]\n\turl = a\n')).toBe('a')
  expect(remoteIn('')).toBeUndefined()
})

it('keeps long names apart', () => {
  expect(projectOwner('x'.repeat(200))).toBe(`project:${'x'.repeat(200)}`)
  const [a, b] = ['a', 'b'].map((end) => projectOwner(`/${'x'.repeat(300)}${end}`))
  expect(a).not.toBe(b)
  expect(a?.length).toBeLessThanOrEqual(256)
})
