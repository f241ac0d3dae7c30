import { describe, expect, it } from 'vitest'
import { isParsedLanguage, languageOf, languageOfPath } from './languages.js'

describe('language of a file', () => {
  it.each([
    ['src/a.ts', '', 'typescript'],
    ['src/a.tsx', '', 'tsx'],
    ['a.JSX', '', 'javascript'],
    ['a.h', 'int f(void);', 'c'],
    ['a.h', 'namespace n {\n}', 'cpp'],
    ['a.cs', '', 'csharp'],
    ['Dockerfile', '', 'dockerfile'],
    ['bin/tool', '#!/usr/bin/env python3\n', 'python'],
    ['bin/tool', '#!/bin/bash -e\n', 'bash'],
    ['bin/tool', 'no shebang', 'text'],
    ['LICENSE', '', 'text'],
    ['go.mod', '', 'text'],
    ['env.example', '', 'text'],
    ['token.sol', '', 'text'],
    ['photo.png', '', null],
  ])('%s is read as %s', (path, text, language) => {
    expect(languageOf(path, text)).toBe(language)
  })
})

it('a header that contains C++ is C++; other files are identified by name', () => {
  const cpp = 'int x;\n\n  class A {};\n'
  expect([languageOf('a.h', cpp), languageOf('a.c', cpp), languageOf('a.h', 'int x;\n\n')]).toEqual(['cpp', 'c', 'c'])
  expect([languageOfPath('.py'), languageOfPath('a.py')]).toEqual([null, 'python'])
  expect([isParsedLanguage('python'), isParsedLanguage('latin')]).toEqual([true, false])
})
