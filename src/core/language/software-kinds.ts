/** Kinds of things that people who make software talk of, each with what notes call them instead; words joined by + stand side by side. */
export const SOFTWARE_KINDS: string = `
communication slack email teams zoom chat channel; chat slack teams discord channel message
messaging slack discord kafka rabbitmq queue telegram whatsapp; notification alert email slack push
editor ide vim neovim emacs vscode intellij sublime; ide editor vscode intellij pycharm webstorm
formatting prettier tabs spaces indent black style lint; indentation tabs spaces indent
style format tabs spaces quotes lint convention naming; linter eslint ruff biome pylint lint flake8
formatter prettier black biome gofmt; convention naming style camelcase snake rule; whitespace tabs spaces indent
quotes single double; shell bash zsh fish terminal; terminal iterm shell console tmux; os linux macos windows ubuntu debian
platform linux macos windows aws android ios; distribution ubuntu debian fedora arch; machine laptop macbook server computer
computer laptop macbook pc desktop; laptop macbook thinkpad dell; hardware cpu gpu ram laptop disk
keyboard layout qwerty dvorak shortcut; shortcut keybinding ctrl cmd; browser chrome firefox safari edge
device phone laptop tablet; framework react vue angular svelte django flask fastapi rails spring express nextjs laravel
frontend react vue angular svelte ui css html client web nextjs; backend server api django node express spring database fastapi
ui frontend interface css button layout design screen; interface ui api; styling css tailwind sass theme
design figma ui layout mockup; theme dark light color; library package dependency module; dependency package library npm version
package npm pip yarn pnpm library dependency; manager npm pip yarn pnpm poetry cargo; installer npm pip yarn pnpm brew
compiler tsc gcc clang rustc; bundler webpack vite esbuild rollup; build compile webpack vite make gradle maven
runtime node python jvm deno bun; database postgres postgresql mysql sqlite mongodb mongo redis dynamodb mariadb sql table
db database postgres postgresql mysql sqlite mongodb; storage s3 disk bucket database volume blob
persistence database postgres sqlite storage; datastore postgres mysql redis mongodb dynamodb; cache redis memcached ttl caching
caching redis memcached ttl cache; queue kafka rabbitmq sqs redis job worker; broker kafka rabbitmq sqs nats
stream kafka kinesis; search elasticsearch index query; orm prisma sqlalchemy hibernate drizzle; migration schema alembic flyway
schema table column migration; table column row; cloud aws gcp azure hetzner digitalocean
hosting aws gcp azure heroku vercel netlify hetzner server hosted fly; hosted aws gcp azure heroku vercel netlify hetzner
provider aws gcp azure stripe; infrastructure terraform kubernetes aws docker ansible cluster
provisioning terraform ansible pulumi; container docker kubernetes pod image; orchestration kubernetes docker swarm nomad
cluster kubernetes node; deployment deploy release production staging rollout kubernetes ship
deploy release ship production rollout push; environment staging production dev test; production prod live
staging test environment preview; pipeline ci cd github actions jenkins gitlab
ci pipeline github actions jenkins gitlab circleci build; release deploy ship version launch tag; versioning semver git tag
vcs git github gitlab svn; repository repo git github gitlab monorepo; branch main master git; commit git push message
merge squash rebase pr; review pr pull approve reviewer; testing test jest pytest vitest cypress playwright mocha coverage
test jest pytest vitest cypress playwright spec unit; mock stub fixture; coverage test percent
bug error issue defect crash fix broken; error exception failure crash bug; failure error crash fails outage
flaky intermittent fails random; crash error panic segfault; outage incident downtime
incident outage pagerduty oncall downtime; oncall pagerduty rotation incident; alert pagerduty opsgenie alarm
monitoring grafana prometheus datadog sentry newrelic metrics alerts
observability grafana prometheus datadog sentry tracing logs metrics; tracking sentry analytics
analytics mixpanel amplitude segment metrics dashboard; dashboard grafana metabase; metrics prometheus grafana datadog
logging logs kibana loki splunk logger; logs kibana loki splunk cloudwatch; tracing opentelemetry jaeger
profiling flamegraph performance; performance slow fast latency speed optimize; latency ms slow; speed fast slow latency
memory ram mb gb heap; security password encryption token vulnerability auth
authentication login oauth jwt token password sso auth0 session signin; authenticate login oauth jwt token password
auth login oauth jwt token sso; authorization role permission access rbac; login signin password sso auth credentials
credential password token secret key; secret password token key vault env; vault secrets password 1password
encryption aes tls key; certificate tls ssl https; permission role access allowed; access permission vpn ssh
vpn wireguard openvpn; network vpn dns firewall ip; firewall port ip; proxy nginx traefik haproxy; webserver nginx apache caddy
server host nginx backend machine; endpoint api url route; api rest graphql endpoint grpc http
protocol http grpc rest websocket; documentation docs readme wiki notion confluence
docs readme wiki notion confluence documentation; wiki notion confluence; notes obsidian notion
email smtp sendgrid mailgun gmail mail; mail email smtp gmail; sms twilio; payments stripe paypal checkout billing
billing stripe invoice payment; invoice billing payment; timeout seconds ms limit; limit max maximum rate quota; quota limit
retry attempts backoff; interval seconds minutes every; cron nightly schedule job; scheduler cron airflow
backup nightly snapshot restore dump; retention days kept delete; config env yaml json settings
configuration env yaml json settings config; settings config preferences; flag feature toggle launchdarkly
model gpt claude llama; ai gpt claude llama model; format json yaml csv xml pdf; serialization json protobuf
datetime utc timezone iso; timezone utc cet est pst gmt; locale english german translation; translation i18n locale
naming camelcase snake kebab convention; identifier uuid id; url https domain link; domain dns url; mobile ios android app phone
app application mobile ios android; licence license mit apache gpl; license mit apache gpl licence
daily+meeting standup scrum sync; daily+standup standup meeting; morning+meeting standup; weekly+meeting sync retro planning team
team+meeting standup sync retro weekly; one+on+one meeting manager 1on1; retrospective retro; sync meeting call standup
call meeting zoom teams meet phone; video+call zoom teams meet webex; ritual standup retro planning grooming
server+side backend api server; client+side frontend browser client; back+end backend; front+end frontend; full+stack fullstack
end+to+end e2e cypress playwright; e2e cypress playwright selenium puppeteer; user+interface ui frontend screen
web+framework react vue angular svelte django flask fastapi rails laravel express nextjs nuxt spring phoenix symfony remix astro
frontend+framework react vue angular svelte nextjs nuxt solid ember preact remix astro qwik
backend+framework django flask fastapi rails laravel express spring nestjs phoenix gin actix axum fastify koa hono
ui+library react vue svelte mui chakra tailwind shadcn bootstrap antd; component+library mui chakra shadcn storybook bootstrap
ui+framework react vue svelte flutter swiftui tailwind bootstrap; css+framework tailwind bootstrap bulma
mobile+framework flutter ionic expo swiftui native; test+framework jest vitest mocha pytest junit cypress playwright rspec
test+runner jest vitest mocha pytest junit karma; testing+library jest vitest pytest junit cypress playwright
framework svelte nuxt nestjs symfony phoenix remix astro flutter ember qt electron
frontend angular svelte nuxt vite tailwind typescript spa; backend go java rails nestjs python graphql services
error+tracking sentry bugsnag rollbar honeybadger airbrake; error+reporting sentry bugsnag rollbar
error+monitoring sentry bugsnag rollbar datadog; crash+reporting sentry crashlytics bugsnag; bug+tracker jira linear bugzilla youtrack
issue+tracker jira linear github youtrack redmine trello asana; ticket+system jira linear zendesk youtrack
project+management jira linear asana trello monday basecamp; task+tracker jira linear asana trello todoist; board jira trello kanban
log+management loki kibana splunk datadog papertrail graylog
log+aggregation loki kibana splunk logstash; uptime pingdom statuspage pagerduty monitoring; status+page statuspage
on+call pagerduty opsgenie rotation oncall; incident+management pagerduty opsgenie; apm datadog newrelic dynatrace
payment+provider stripe paypal adyen braintree square mollie klarna; payment+company stripe paypal adyen braintree square mollie
payment+processor stripe paypal adyen braintree square mollie; payment+system stripe paypal adyen checkout
credit+card visa mastercard amex stripe; subscription+billing stripe chargebee recurly paddle
package+manager npm pnpm yarn bun pip poetry uv cargo brew apt maven gradle nuget composer bundler conda homebrew chocolatey
dependency+manager npm pnpm yarn pip poetry cargo bundler composer; build+tool vite webpack gradle maven make bazel esbuild turbo
build+system bazel gradle maven make cmake ninja turbo nx; monorepo turbo nx lerna workspaces bazel; task+runner make gulp nx
bundler parcel turbopack swc; transpiler babel swc tsc; type+checker tsc mypy pyright flow; typing typescript mypy pyright types
version+control git github gitlab svn mercurial bitbucket; source+control git github gitlab svn mercurial bitbucket
source+code git github gitlab repository repo; code+hosting github gitlab bitbucket gitea; code+review pr pull github reviewer approve
repo repository git github gitlab monorepo; repository bitbucket gitea; pull+request pr merge github; merge+request mr merge gitlab
pr pull request merge; branching main develop trunk gitflow feature; trunk main master; commit+message conventional
continuous+integration ci jenkins github gitlab circleci travis buildkite; build+server jenkins teamcity buildkite ci
ci+system jenkins github gitlab circleci travis buildkite teamcity; ci travis buildkite teamcity runner
continuous+deployment cd argocd flux pipeline; gitops argocd flux; deploy pipeline helm argocd vercel heroku repository
deployment helm argocd pipeline docker; rollback revert previous release; feature+flag launchdarkly unleash toggle rollout
relational+database postgres postgresql mysql mariadb sqlite oracle mssql; nosql mongodb dynamodb cassandra couchdb firestore redis
database oracle mssql cassandra cockroachdb clickhouse neo4j firestore supabase bigquery snowflake duckdb planetscale
sql postgres postgresql mysql sqlite mariadb mssql; data+warehouse snowflake bigquery redshift clickhouse databricks
warehouse snowflake bigquery redshift; graph+database neo4j; vector+database pgvector pinecone qdrant weaviate chroma milvus
time+series influxdb timescale prometheus; key+value redis dynamodb etcd; message+queue kafka rabbitmq sqs nats redis celery
message+broker kafka rabbitmq nats sqs activemq; event+bus kafka nats eventbridge; job+queue celery sidekiq bullmq resque worker
background+job celery sidekiq bullmq cron worker queue; queue nats celery sidekiq bullmq pubsub; worker celery sidekiq queue
object+storage s3 minio bucket gcs blob; file+storage s3 dropbox drive bucket nas; uploads s3 bucket; bucket s3 gcs minio
search+engine elasticsearch opensearch algolia meilisearch typesense solr google; full+text elasticsearch opensearch algolia lucene
etl airflow dbt fivetran dagster; data+pipeline airflow dbt kafka spark dagster; notebook jupyter colab
cloud+provider aws gcp azure hetzner digitalocean linode ovh cloudflare; cloud ec2 s3 lambda linode ovh cloudflare
serverless lambda functions cloudflare vercel; vm ec2 droplet virtual; k8s kubernetes; kubernetes k8s helm kubectl eks gke aks
container podman containerd ecs; container+registry ecr dockerhub ghcr harbor; virtualization vmware proxmox virtualbox kvm
infrastructure+as+code terraform pulumi cloudformation ansible; iac terraform pulumi cloudformation; config+management ansible puppet chef
load+balancer nginx haproxy traefik alb elb; reverse+proxy nginx traefik caddy haproxy; web+server nginx apache caddy iis
api+gateway kong apigee gateway; cdn cloudflare fastly cloudfront akamai; content+delivery cloudflare fastly cloudfront
dns cloudflare route53 domain; ssl tls certificate letsencrypt; tls ssl certificate letsencrypt; https tls certificate
identity+provider okta auth0 keycloak cognito entra; single+sign+on sso okta saml auth0; sso okta saml auth0 keycloak oidc
auth auth0 okta keycloak cognito clerk oidc; authentication okta keycloak saml cognito clerk passkey; two+factor 2fa totp yubikey mfa
mfa 2fa totp yubikey authenticator; password+manager 1password bitwarden lastpass keepass dashlane
secret+management vault doppler sops; secrets vault doppler env; environment+variable env dotenv; env environment dotenv
operating+system linux macos windows ubuntu debian fedora; os fedora arch; desktop gnome kde
text+editor vim neovim emacs vscode sublime helix zed notepad; editor helix zed cursor nano notepad jetbrains
code+editor vscode vim neovim cursor zed intellij; ide cursor zed xcode eclipse rider goland clion; terminal alacritty kitty ghostty wezterm
programming+language python java javascript typescript rust go kotlin swift ruby php scala elixir haskell c perl lua
language elixir scala haskell perl lua csharp cpp zig; scripting bash python perl lua; stack react node postgres django rails
chat+tool slack teams discord mattermost zulip; chat+app slack whatsapp telegram signal discord; messenger whatsapp telegram signal
video+conferencing zoom teams meet webex; design+tool figma sketch adobe canva penpot; mockup figma sketch; wireframe figma balsamiq
diagram mermaid excalidraw drawio miro plantuml; whiteboard miro excalidraw figjam; prototype figma
knowledge+base notion confluence wiki docs; note+taking obsidian notion evernote onenote; spreadsheet excel sheets csv airtable
presentation slides powerpoint keynote; crm salesforce hubspot pipedrive; support+desk zendesk intercom freshdesk; helpdesk zendesk intercom
email+provider sendgrid mailgun postmark ses gmail; newsletter mailchimp substack; cms wordpress contentful strapi sanity drupal
shop shopify woocommerce magento store; ecommerce shopify woocommerce magento; website wordpress domain site page
analytics matomo plausible posthog ga; product+analytics amplitude mixpanel posthog; ab+test experiment variant optimizely
api+documentation swagger openapi postman redoc; api+client postman insomnia curl; api+style rest graphql grpc; spec openapi swagger
data+format json yaml csv xml parquet protobuf avro toml; file+format pdf csv json docx xlsx png; image+format png jpeg webp svg
config toml ini dotenv; state+management redux zustand pinia mobx; routing router; validation zod yup pydantic joi
orm typeorm sequelize activerecord django eloquent; migrations alembic flyway liquibase prisma
unit+test jest vitest pytest junit mocha; load+test k6 jmeter locust gatling; performance+test k6 jmeter locust
static+analysis sonarqube eslint mypy semgrep; code+quality sonarqube eslint coverage lint; code+style prettier eslint tabs spaces lint
code+formatter prettier black biome gofmt; linting eslint ruff biome; vulnerability snyk dependabot cve; dependency+update dependabot renovate
documentation+site docusaurus mkdocs readthedocs sphinx; machine+learning pytorch tensorflow sklearn model; ml pytorch tensorflow model
llm gpt claude gemini llama mistral; language+model gpt claude gemini llama mistral; ai+assistant copilot claude chatgpt cursor
assistant copilot claude chatgpt siri alexa; look+after owns owner maintains responsible; looking+after owns owner maintains responsible
take+care owns responsible maintains; in+charge owns owner lead responsible; charge owns lead responsible
maintain owns owner maintainer; tech+lead lead architect; sprint+length weeks; working+hours pm office start; time+zone utc cet est pst
phone+number mobile call; staging+environment staging preview; test+environment staging qa sandbox
live+system production prod; dev+environment docker devcontainer local; local+setup docker compose install; getting+started install setup readme
`
