/** Folders in which programs store credentials. */
const CREDENTIAL_FOLDERS = new Set(['.aws', '.azure', '.gnupg', '.kube', '.ssh', '.gcloud', '.password-store', 'keyrings'])

const NAMES = new Set([
  ...'.netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass .my.cnf .mylogin.cnf .git-credentials .htpasswd htpasswd .htdigest'.split(
    ' ',
  ),
  ...'credentials credentials.json credentials.yml credentials.yaml credentials.xml credentials.toml credentials.ini .credentials'.split(
    ' ',
  ),
  ...'credentials.csv accesskeys.csv .credentials.json application_default_credentials.json token.json oauth_creds.json'.split(' '),
  ...'secrets.json secrets.yml secrets.yaml secrets.toml secrets.ini secrets.properties secret.yml secret.yaml secret.json .secrets'.split(
    ' ',
  ),
  ...'id_rsa id_dsa id_ecdsa id_ecdsa_sk id_ed25519 id_ed25519_sk identity ssh_host_rsa_key ssh_host_ed25519_key'.split(' '),
  ...'ssh_host_ecdsa_key ssh_host_dsa_key shadow shadow- gshadow gshadow- master.passwd .vault-token .vault_pass vault_pass.txt'.split(' '),
  ...'.dockercfg .dockerconfigjson kubeconfig .boto .s3cfg .s3curl .terraformrc terraform.rc credentials.tfrc.json .envrc .pgpass.conf'.split(
    ' ',
  ),
  ...'master.key .rediscli_auth rclone.conf .remote-sync.json .ftpconfig sftp-config.json filezilla.xml sitemanager.xml recentservers.xml'.split(
    ' ',
  ),
  ...'wp-config.php localsettings.php .wgetrc .curlrc proftpdpasswd .mongorc.js robomongo.json jenkins.plugins.publish_over_ssh.bapsshpublisherplugin.xml'.split(
    ' ',
  ),
  ...'logins.json key3.db key4.db .bash_history .zsh_history .sh_history .psql_history .mysql_history .python_history .node_repl_history'.split(
    ' ',
  ),
])

const EXTENSIONS = new Set(
  'pem key ppk pk8 p12 pfx jks jceks keystore bks kdb kdbx asc gpg pgp der tfvars tfstate ovpn keychain agilekeychain mobileprovision pkcs12 p8 rdp'.split(
    ' ',
  ),
)

/** Suffixes of credential files with a prefix in the name. */
const ENDINGS = ['_rsa', '_dsa', '_ecdsa', '_ed25519', '.tfvars.json', '.tfstate.backup', '.netrc', '.npmrc', '.pypirc', '.htpasswd']

/** Templates contain placeholders, not secrets. */
const FORMS = ['example', 'sample', 'template', 'dist', 'defaults', 'schema', 'tpl']

/** True for a file in which programs store credentials, by its path: relative to the project, with forward slashes. */
export function isCredentialFile(path: string): boolean {
  const segments = path.toLowerCase().split('/')
  const base = segments.pop() ?? ''
  if (segments.some((folder) => CREDENTIAL_FOLDERS.has(folder))) return true
  if (segments.at(-1) === '.docker' && base === 'config.json') return true
  const words = base.split('.')
  if (words.some((word) => FORMS.includes(word))) return false
  if (NAMES.has(base) || ENDINGS.some((ending) => base.endsWith(ending))) return true
  if (words.length > 1 && EXTENSIONS.has(words.at(-1) ?? '')) return true
  return isEnvironment(base) || isServiceAccount(base)
}

/** `.env`, `.env.local`, `production.env`; not code such as `env.ts`. */
const isEnvironment = (base: string): boolean => base === '.env' || base.startsWith('.env.') || base.endsWith('.env')

const isServiceAccount = (base: string): boolean =>
  base.endsWith('.json') &&
  [
    'service-account',
    'service_account',
    'serviceaccount',
    'client_secret',
    'client-secret',
    'firebase-adminsdk',
    'gcp-key',
    'gcloud-key',
  ].some((name) => base.includes(name))

/** True for a folder in which programs store credentials. */
export const isCredentialFolder = (name: string): boolean => CREDENTIAL_FOLDERS.has(name.toLowerCase())
