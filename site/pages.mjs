// The pages of the site, in the order of its navigation. A page that is missing is left out; one that is not named here comes last.
export const SECTIONS = [
  ['Start', ['docs/start.md', 'docs/concepts.md', 'docs/usage.md', 'docs/console.md', 'docs/faq.md', 'docs/troubleshooting.md']],
  ['Coding agents', ['docs/clients.md', 'docs/hooks.md', 'docs/code.md', 'docs/secrets.md']],
  [
    'Programs',
    ['docs/client.md', 'packages/python/README.md', 'docs/frameworks.md', 'docs/mem0.md', 'docs/http-api.md', 'examples/README.md'],
  ],
  ['Contracts', ['docs/memory.md', 'docs/graph.md', 'docs/substrate.md', 'docs/stigmem.md', 'docs/reference.md']],
  ['Recall and data', ['docs/recall.md', 'docs/import.md', 'docs/export.md', 'docs/limits.md']],
  ['Operations', ['docs/operations.md', 'docs/scale.md', 'docs/keys.md', 'docs/security.md', 'docs/packages.md']],
  [
    'Project',
    [
      'DESIGN.md',
      'docs/decisions/README.md',
      'docs/vocabulary.md',
      'bench/REPORT.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'docs/release.md',
    ],
  ],
]
