import { describe, expect, it } from 'vitest'
import { guardOf } from './guarded-folders.js'

const HOME = '/home/ann'

describe('system folders and a whole home are refused', () => {
  it.each([
    ['/', HOME],
    ['/etc', HOME],
    ['/etc/nginx/sites', HOME],
    ['/proc/1', HOME],
    ['/sys', HOME],
    ['/dev', HOME],
    ['/boot/grub', HOME],
    ['/root', HOME],
    ['/usr', HOME],
    ['/var', HOME],
    ['/var/lib/postgresql', HOME],
    ['/home', HOME],
    ['/home/ann', HOME],
    ['/home/ann/', HOME],
    ['/home/bob', HOME],
    ['/home/ann/.ssh', HOME],
    ['/home/ann/.aws/cli', HOME],
    ['/tmp', HOME],
    ['/private/etc', '/Users/ann'],
    ['/System/Library', '/Users/ann'],
    ['/Users', '/Users/ann'],
    ['/Users/ann', '/Users/ann'],
    ['/data/people/ann', '/data/people/ann'],
    ['/data/people', '/data/people/ann'],
    ['/root', '/root'],
    ['C:\\Windows\\System32', 'C:\\Users\\ann'],
    ['D:\\Windows', 'C:\\Users\\ann'],
    ['C:\\Program Files\\App', 'C:\\Users\\ann'],
    ['C:\\Users', 'C:\\Users\\ann'],
    ['C:\\Users\\ann', 'C:\\Users\\ann'],
    ['c:\\', 'C:\\Users\\ann'],
  ])('%s for a home %s', (path, home) => expect(guardOf(path, home)).toMatch(/folder/))

  it.each([
    ['/home/ann/projects/shop', HOME],
    ['/home/bob/shop', HOME],
    ['/root/shop', '/root'],
    ['/root/shop', HOME],
    ['/tmp/checkout', HOME],
    ['/opt/shop', HOME],
    ['/srv/www/shop', HOME],
    ['/var/www/shop', HOME],
    ['/usr/local/src/shop', HOME],
    ['/usr/src/app', HOME],
    ['/etcetera', HOME],
    ['/work/etc', HOME],
    ['/dev/shm/shop', HOME],
    ['/private/var/folders/ab/T/shop', '/Users/ann'],
    ['/etc/agent/shop', '/etc/agent'],
    ['C:\\Users\\ann\\shop', 'C:\\Users\\ann'],
    ['D:\\work\\shop', 'C:\\Users\\ann'],
  ])('not %s for a home %s', (path, home) => expect(guardOf(path, home)).toBeUndefined())
})

it('guards system folders even if no home is known', () => {
  expect(guardOf('/etc/nginx', '')).toBe('a system folder')
  expect(guardOf('/', '')).toBe('a system folder as a whole')
})
