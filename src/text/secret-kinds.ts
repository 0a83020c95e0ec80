const LETTERS = '[A-Za-z0-9]'
const HEX = '[0-9a-f]'
const END = '(?![A-Za-z0-9])'

/**
 * Kinds of tokens by their published form: an expression for the prefix, and one for the rest, which must look random.
 */
export const TOKEN_KINDS: readonly (readonly [what: string, begins: string, rest: string])[] = [
  ['a key of AWS', 'AKIA|ASIA|ABIA|ACCA', `[A-Z2-7]{16}${END}`],
  ['a client secret of Azure', `${LETTERS}{3}\\dQ~`, '[\\w.~-]{31,34}'],
  ['a key of AWS Bedrock', 'ABSK', '[A-Za-z0-9+/]{109,269}'],
  ['a key of Alibaba', 'LTAI', `${LETTERS}{17,24}${END}`],
  ['a key of Google', 'AIza', '[\\w-]{35}(?![\\w-])'],
  ['a client secret of Google', 'GOCSPX-', '[\\w-]{28}'],
  ['a token of Google', 'ya29\\.', '[\\w-]{60,}'],
  ['a token of GitHub', 'gh[pousr]_', `${LETTERS}{36}${END}`],
  ['a token of GitHub', 'github_pat_', `${LETTERS}{22}_${LETTERS}{59}`],
  ['a token of GitLab', 'gl(?:pat|dt|rt|cbt|ptt|ft|ffct|imt|soat|oas|agent)-', '[\\w-]{20,}'],
  ['a token of GitLab', 'GR1348941', '[\\w-]{20}'],
  ['a token of Bitbucket or Jira', 'AT(?:ATT|CTT|BB)', '[\\w-]{24,}'],
  ['a token of Slack', 'xox[abeoprs]-', '(?:\\d+-)+[A-Za-z0-9-]{10,}'],
  ['a token of Slack', 'xapp-', '\\d-[A-Z0-9]{8,}-\\d{10,}-[a-z0-9]{40,}'],
  ['a webhook of Slack', 'hooks\\.slack\\.com/(?:services|workflows|triggers)/', 'T\\w{8,}/[AB]?\\w{8,}/[\\w/]{20,}'],
  ['a webhook of Discord', 'discord(?:app)?\\.com/api/webhooks/', '\\d{17,20}/[\\w-]{60,}'],
  ['a key of Stripe', '[rs]k_(?:live|prod)_', `${LETTERS}{24,}`],
  ['a signing secret of Stripe', 'whsec_', '[A-Za-z0-9+/]{32,}'],
  ['a token of Square', 'sq0(?:atp|csp)-', '[\\w-]{22,}'],
  ['a token of Square', 'EAAA', '[\\w-]{60}(?![\\w-])'],
  ['a token of Facebook', 'EAA[CM]', `${LETTERS}{100,}`],
  ['a token of Shopify', 'shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{32}'],
  ['a key of Flutterwave', 'FLWSECK-', '[0-9a-z]{32}-X'],
  ['a key of Shippo', 'shippo_live_', '[0-9a-f]{40}'],
  ['a key of EasyPost', 'EZAK', `${LETTERS}{54}${END}`],
  ['a key of Duffel', 'duffel_live_', '[\\w-]{43}'],
  ['a key of OpenAI', 'sk-', '(?:(?:proj|svcacct|admin)-)?[\\w-]{16,100}T3BlbkFJ[\\w-]{16,}'],
  ['a key of Anthropic', 'sk-ant-', '[a-z]+\\d\\d-[\\w-]{80,}'],
  ['a key of OpenRouter', 'sk-or-v1-', `${HEX}{64}`],
  ['a key of Perplexity', 'pplx-', `${LETTERS}{48}`],
  ['a key of Groq', 'gsk_', `${LETTERS}{52}`],
  ['a key of xAI', 'xai-', `${LETTERS}{80}`],
  ['a key of Replicate', 'r8_', `${LETTERS}{37}`],
  ['a token of Hugging Face', 'hf_|api_org_', `[A-Za-z]{34}${END}`],
  ['a key of LangSmith', 'lsv2_(?:pt|sk)_', `${HEX}{32}_${HEX}{10}`],
  ['a secret key of Langfuse', 'sk-lf-', `${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}`],
  ['a token of npm', 'npm_', `${LETTERS}{36}${END}`],
  ['a token of PyPI', 'pypi-AgE', '[\\w-]{60,}'],
  ['a token of RubyGems', 'rubygems_', `${HEX}{48}`],
  ['a key of NuGet', 'oy2', `[a-z0-9]{43}${END}`],
  ['a token of Clojars', 'CLOJARS_', '[0-9a-z]{60}'],
  ['a token of crates.io', 'cio', `${LETTERS}{32}${END}`],
  ['a token of Docker', 'dckr_(?:pat|oat)_', '[\\w-]{27,}'],
  ['a token of JFrog', 'AKCp', `${LETTERS}{69}${END}`],
  ['a token of JFrog', 'cmVmd', `${LETTERS}{59}${END}`],
  ['a key of SendGrid', 'SG\\.', '[\\w-]{22}\\.[\\w-]{43}'],
  ['a key of Brevo', 'xkeysib-', `${HEX}{64}-${LETTERS}{16}`],
  ['a key of Resend', 're_', `${LETTERS}{8}_${LETTERS}{24}${END}`],
  ['a key of Mailgun', 'key-', `${HEX}{32}${END}`],
  ['a key of Twilio', 'SK', `${HEX}{32}${END}`],
  ['a token of DigitalOcean', 'do[opr]_v1_', `${HEX}{64}`],
  ['a key of Heroku', 'HRKU-AA', '[\\w-]{58}'],
  ['a token of Fly.io', 'fo1_', '[\\w-]{43}'],
  ['a token of Fly.io', 'fm1[ar]_|fm2_', '[A-Za-z0-9+/]{100,}'],
  ['a key of Cloudflare', 'v1\\.0-', `${HEX}{24}-${HEX}{146}`],
  ['a token of Netlify', 'nfp_', `${LETTERS}{36}`],
  ['a token of Supabase', 'sbp_', `${HEX}{40}`],
  ['a secret key of Supabase', 'sb_secret_', '[\\w-]{31}'],
  ['a token of PlanetScale', 'pscale_(?:tkn|oauth|pw)_', '[\\w.-]{32,64}'],
  ['a token of Databricks', 'dapi', `${HEX}{32}(?!${HEX})`],
  ['a token of Dynatrace', 'dt0c01\\.', '[A-Z0-9a-z]{24}\\.[A-Za-z0-9]{64}'],
  ['a token of Grafana', 'glsa_', `${LETTERS}{32}_[0-9A-Fa-f]{8}`],
  ['a token of Grafana', 'glc_', '[A-Za-z0-9+/]{32,}'],
  ['a key of New Relic', 'NRAK-', '[A-Z0-9]{27}'],
  ['a key of New Relic', 'NRII-', '[\\w-]{32}'],
  ['a token of Sentry', 'sntryu_', `${HEX}{64}`],
  ['a token of Sentry', 'sntrys_eyJ', '[A-Za-z0-9+/]{60,}'],
  ['a token of Vault', 'hv[sbr]\\.', '[\\w-]{24,}'],
  ['a token of Terraform Cloud', `${LETTERS}{14}\\.atlasv1\\.`, '[\\w-]{60,70}'],
  ['a token of Pulumi', 'pul-', `${HEX}{40}`],
  ['a token of Doppler', 'dp\\.(?:pt|st|ct|sa|scim|audit)\\.', '[\\w.-]{40,}'],
  ['a key of 1Password', 'A3-', '[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5}){3,4}'],
  ['a token of 1Password', 'ops_eyJ', '[A-Za-z0-9+/]{200,}'],
  ['a key of age', 'AGE-SECRET-KEY-1', '[0-9A-Z]{58}'],
  ['a token of Harness', '[ps]at\\.', `[\\w-]{22}\\.${LETTERS}{24}\\.${LETTERS}{20}`],
  ['a token of Scalingo', 'tk-us-', '[\\w-]{48}'],
  ['a key of Infracost', 'ico-', `${LETTERS}{32}${END}`],
  ['a key of Octopus Deploy', 'API-', `[A-Z0-9]{26}${END}`],
  ['a token of OpenShift', 'sha256~', '[\\w-]{43}(?![\\w-])'],
  ['a key of Prefect', 'pn[ub]_', `${LETTERS}{36}${END}`],
  ['a key of Postman', 'PMAK-', `${HEX}{24}-${HEX}{34}`],
  ['a key of ReadMe', 'rdme_', '[a-z0-9]{70}'],
  ['a token of Notion', 'ntn_', `\\d{11}${LETTERS}{35}`],
  ['a token of Airtable', 'pat', `${LETTERS}{14}\\.${HEX}{64}${END}`],
  ['a key of Linear', 'lin_api_', `${LETTERS}{40}`],
  ['a token of Figma', 'fig[dours]_', '[\\w-]{40}'],
  ['a token of Frame.io', 'fio-u-', '[\\w-]{64}'],
  ['a key of Typeform', 'tfp_', '[\\w.-]{59}'],
  ['a token of SourceGraph', 'sgp_', `(?:${HEX}{16}_)?${HEX}{40}`],
  ['a key of Adobe', 'p8e-', '[0-9a-z]{32}'],
  ['a token of SettleMint', 'sm_[aps]at_', `${LETTERS}{16}${END}`],
  ['a token of 42', 's-s4t2(?:ud|af)-', `${HEX}{64}`],
  ['a key of MaxMind', `${LETTERS}{6}_`, `${LETTERS}{29}_mmk`],
  ['a token of this program', 'ambit_', '[\\w-]{43}(?![\\w-])'],
]

const QUOTE = '(?:\\\\?["\'`])'
const SEPARATOR = '[ \\t]{0,8}(?::=|\\|{1,2}=?|\\?{1,2}=?|=>|[:=,>])[ \\t]{0,8}'
/** A type between the name and the value: `token: str = "…"`. */
const TYPED = '[ \\t]{0,4}:[ \\t]{0,4}[&A-Za-z][\\w.]{0,20}[ \\t]{0,4}=[ \\t]{0,4}'
/** The label of the value, after the label of the name: `- name: TOKEN`, and below it `value: …`. */
const VALUE = '[ \\t]{0,4}[,{]?\\s{1,20}["\']?(?:value|default)["\']?[ \\t]{0,4}[:=][ \\t]{0,4}'
/** A call whose default is the value: `getenv("TOKEN", "…")`. */
const CALL = '[\\w.]{1,30}\\(["\'][\\w.-]{0,40}["\'],[ \\t]{0,4}["\']'

/** Matches a name that ends like the name of a secret, with the text up to the value; not names such as `token_url`. */
export const SECRET_NAME = new RegExp(
  '(?:authorization|password|passwd|passphrase|pwd|secret|token|credentials?|bearer|' +
    '(?:api|access|auth|private|secret|encryption|signing|signature|master|account|shared|storage|service|client|app|license|' +
    'deploy|webhook|session|jwt|cookie|hmac|admin)[_.-]?key)' +
    '(?![\\w.-]{0,20}(?:hash|digest|sum|fingerprint|[_-]id|Id|address|url|uri|path|file|name|public|izer|sha\\d))' +
    // The separator, text between it and the value, and the number of a bot.
    `(?:[\\w.-]{0,20}${QUOTE}{0,1}\\]?(?:${SEPARATOR}|${TYPED}|${VALUE})(?:b?${QUOTE}|Bearer |Basic |${CALL})?|[ \\t]{1,4}${QUOTE}?)` +
    '(?:\\d{8,10}:)?$',
  'i',
)

/** A password in an address. */
export const IN_ADDRESS = /[a-z]:\/\/[^\s:@/"'`]{0,60}:$/i
