import { describe, expect, it } from 'vitest'
import { isCredentialFile } from './credential-files.js'
import { whySkipped } from './skipped-files.js'

describe('known credential files are skipped by name', () => {
  it.each([
    '.env',
    'config/.env.production',
    'deploy/staging.env',
    'keys/id_rsa',
    'keys/deploy_ed25519',
    'tls/server.pem',
    'tls/server.key',
    'a/B/.NETRC',
    '.npmrc',
    '.pypirc',
    'credentials',
    'home/.aws/config',
    'home/.ssh/config',
    '.kube/config',
    '.docker/config.json',
    'infra/prod.tfvars',
    'infra/prod.auto.tfvars.json',
    'infra/terraform.tfstate',
    'infra/terraform.tfstate.backup',
    'android/release.jks',
    'android/release.keystore',
    'www/.htpasswd',
    'gcp/my-service-account-prod.json',
    'client_secret_1234.apps.json',
    'app-firebase-adminsdk-x1.json',
    'etc/shadow',
    '.git-credentials',
    '.pgpass',
    'secrets.yaml',
    'config/master.key',
    'putty/host.ppk',
    'vpn/office.ovpn',
    '.vault-token',
    'passwords.kdbx',
    'backup/private.gpg',
    'rclone.conf',
    '.bash_history',
    'wp-config.php',
  ])('%s', (path) => {
    expect(isCredentialFile(path)).toBe(true)
    expect(whySkipped(path, { size: 100 })).toBe('credentials')
  })

  it.each([
    '.env.example',
    '.env.sample',
    'config/.env.template',
    'src/env.ts',
    'src/environment.py',
    'src/vite-env.d.ts',
    'src/credentials.ts',
    'src/secrets/mask.ts',
    'src/secrets.rs',
    'src/token.ts',
    'src/keys.go',
    'docs/passwords.md',
    'terraform/main.tf',
    'terraform/terraform.tfvars.example',
    'service-account.ts',
    'package.json',
    'tokens.json',
    'src/ssh/config.ts',
    'shadow.css',
    'lib/monkey.rb',
  ])('not %s', (path) => expect(isCredentialFile(path)).toBe(false))
})

it.each([
  ['home/.docker/config.json', true],
  ['app/config.json', false],
  ['home/.docker/readme.md', false],
  ['server.pem', true],
  ['pem', false],
])('%s: %s', (path, expected) => expect(isCredentialFile(path)).toBe(expected))
