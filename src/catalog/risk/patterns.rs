//! What the rules look for. Patterns are case-insensitive; one is tried on a line that has one of
//! its words, in lower case.

use super::Rule;
use super::context::Within;
use super::rules::{
    AGENT_SETTINGS, CREDENTIALS, DECODE_RUN, DOWNLOAD_RUN, INSTALLS, LOCKED_ARCHIVE, NETWORK,
    PERSISTENCE, REVERSE_SHELL, RUNS_SCRIPT, SECRET_VARIABLE,
};

pub(super) struct Pattern {
    pub(super) rule: &'static Rule,
    pub(super) within: Within,
    pub(super) words: &'static str,
    pub(super) pattern: &'static str,
}

/// Two patterns whose first groups must have the same text, the second at the same line or later.
pub(super) struct Steps {
    pub(super) rule: &'static Rule,
    pub(super) within: Within,
    pub(super) words: &'static str,
    pub(super) first: &'static str,
    pub(super) then_words: &'static str,
    pub(super) then: &'static str,
}

/// `{cmd}` in a pattern: where a command begins, behind a prompt, `sudo` and variables.
pub(super) const COMMAND: &str = r"(?:^|[;&|({\x60]|\b(?:sudo|then|do|exec|env|time|xargs|run:|RUN|-c)\s)\s*['\x22]?(?:[$%>]\s+)?(?:sudo\s+(?:-\S+\s+)*)?(?:\w+=\S*\s+)*";

/// `{agent}` in a pattern: a file or folder of an agent's settings, instructions, skills or
/// servers.
pub(super) const AGENT: &str = concat!(
    r"(?:\.claude(?:\.json|/(?:settings|claude\.md|agents|commands|hooks|skills|plugins|rules))",
    r"|\.(?:agents|codelia|codex|copilot|cursor|factory|gemini|kilo|kilocode|kimi-code|kodelet",
    r"|openclaw|opencode|pi|qoder|qwen|vibe)/|\.config/(?:agents|amp|crush|goose|kilo|opencode)/",
    r"|/etc/(?:ampcode|claude-code|codex|gemini-cli|kilo|opencode|qwen-code)/|\.github/copilot/",
    r"|/library/application\\? support/(?:ampcode|claudecode|geminicli|kilo|opencode|qwencode)/",
    r"|\.[\w-]+/skills/|(?:kilo|opencode)\.json|kodelet-config\.yaml|\.mcp\.json|\.cursorrules",
    r"|\bclaude(?:\.local)?\.md|\b(?:agents|gemini|soul|memory)\.md|copilot-instructions",
    r"|\.windsurf)",
);

/// One of these words stands wherever `{agent}` fits.
const AGENT_WORDS: &str = ".claude .codelia/ .codex .copilot/ .cursor .factory/ .gemini .kilo \
                           .kimi-code/ .kodelet/ .opencode .pi/ .qoder/ .qwen/ .vibe/ .windsurf \
                           .agents/ .openclaw .config/agents .config/amp .config/crush \
                           .config/goose .config/kilo .config/opencode .github/copilot/ \
                           /etc/ampcode /etc/claude-code /etc/codex /etc/gemini-cli /etc/kilo \
                           /etc/opencode /etc/qwen-code support/ampcode support/claudecode \
                           support/geminicli support/kilo support/opencode support/qwencode /skills/ .mcp.json kilo.json \
                           opencode.json kodelet-config.yaml claude.md claude.local.md agents.md \
                           gemini.md soul.md memory.md copilot-instructions";

/// `{run}` in a pattern: a pipe into a program that runs what it reads, perhaps through others that
/// start it.
pub(super) const INTO_SHELL: &str = concat!(
    r"\|&?\s*(?:[({]\s*)?",
    r"(?:(?:sudo|doas)\s+(?:-[a-z]\s+[^\s-]\S*\s+|-\S+\s+)*|env\s+(?:-\S+\s+)*|\w+=\S*\s+",
    r"|(?:nohup|exec|command|busybox)\s+|time\s+(?:-p\s+)?|timeout\s+(?:-\S+\s+)*\d\S*\s+)*",
    r"['\x22]?(?:/\S*/)?",
    r"(?:(?:(?:ba|z|da|k|a|fi)?sh|iex|invoke-expression|\$\{?shell\}?)(?:$|[\s;&|)\x22'\x60])",
    r"|(?:python[\d.]*|perl|ruby|node|php|osascript|pwsh|powershell)\s*(?:-\s*)?",
    r"(?:$|[;&|)\x22'\x60]))",
);

const fn row(
    rule: &'static Rule,
    within: Within,
    words: &'static str,
    pattern: &'static str,
) -> Pattern {
    Pattern { rule, within, words, pattern }
}

pub(super) const PATTERNS: &[Pattern] = &[
    // What is downloaded goes into a shell, through pipes or not.
    row(
        &DOWNLOAD_RUN,
        Within::ALL,
        "curl wget iwr irm invoke-webrequest invoke-restmethod",
        r"\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\s[^\n]*{run}",
    ),
    row(
        &DOWNLOAD_RUN,
        Within::ALL,
        "curl wget",
        r"\b(?:(?:ba|z|da|k)?sh|source|eval|python[\d.]*|perl|node|ruby)\s[^\n|;]{0,60}(?:<\(|\$\(|\x60)\s*(?:sudo\s+)?(?:curl|wget)\s|(?:^|[;&]\s*)\.\s+<\(\s*(?:curl|wget)\s",
    ),
    // The command itself is downloaded. In a sentence, this is a command between backticks.
    row(
        &DOWNLOAD_RUN,
        Within::BLOCK,
        "curl wget",
        r"(?:^|[;|]|&&|\b(?:then|do|else)\s)\s*(?:[$%>]\s+)?(?:\$\(|\x60)\s*(?:curl|wget)\s",
    ),
    row(
        &DOWNLOAD_RUN,
        Within::ALL,
        "iex invoke-expression",
        r"\b(?:iex|invoke-expression)\b[^\n]{0,200}(?:iwr|irm|invoke-webrequest|invoke-restmethod|downloadstring|net\.webclient)",
    ),
    row(
        &DOWNLOAD_RUN,
        Within::ALL,
        "exec eval",
        r"\b(?:exec|eval)\s*\([^\n]{0,160}(?:requests\.get|urlopen|httpx\.get|await fetch|axios)\s*\(",
    ),
    // What is decoded runs.
    row(
        &DECODE_RUN,
        Within::ALL,
        "base64 xxd tr openssl",
        r"\b(?:base64\s+(?:-d|--decode|-di)|xxd\s+-r|openssl\s+(?:enc|base64)[^\n|]*\s-d|tr\s+['\x22]?a-za-z['\x22]?\s+['\x22]?n-za-m)[^\n]*{run}",
    ),
    row(
        &DECODE_RUN,
        Within::ALL,
        "base64",
        r"\b(?:(?:ba|z|da|k)?sh|source|eval|python[\d.]*|perl|node)\s[^\n;]{0,60}(?:<\(|\$\(|\x60)[^\n]{0,4000}\bbase64\s+(?:-d|--decode)",
    ),
    row(
        &DECODE_RUN,
        Within::ALL,
        "b64decode b85decode a85decode b32decode fromhex unhexlify decompress codecs.decode marshal.loads",
        r"\b(?:exec|eval|os\.system|os\.popen|subprocess\.\w+)\s*\([^\n]{0,160}(?:b64decode|b85decode|a85decode|b32decode|fromhex|unhexlify|decompress|codecs\.decode|marshal\.loads)\s*\(",
    ),
    row(
        &DECODE_RUN,
        Within::ALL,
        "atob buffer.from fromcharcode",
        r"\b(?:eval|function|execsync|exec|spawn)\s*\(\s*(?:atob\s*\(|string\.fromcharcode|buffer\.from\s*\([^\n]{0,4000}['\x22](?:base64|hex)['\x22])",
    ),
    row(
        &DECODE_RUN,
        Within::ALL,
        "powershell pwsh frombase64string base64_decode decode_base64 decode64",
        r"\b(?:powershell|pwsh)(?:\.exe)?\s[^\n]{0,120}-e(?:nc|ncodedcommand|c)?\s+['\x22]?[a-z0-9+/=]{40}|\b(?:iex|invoke-expression)\b[^\n]{0,200}frombase64string|\beval\s*\(?\s*(?:base64_decode|decode_base64|base64\.decode64|gzinflate)",
    ),
    // A shell is given to another machine.
    row(
        &REVERSE_SHELL,
        Within::ALL,
        "/dev/tcp/ /dev/udp/",
        r"\b(?:ba|z|k|da)?sh\s+-i\b[^\n]{0,120}/dev/(?:tcp|udp)/|\bexec\s+\{?\w*\}?<>\s*/dev/(?:tcp|udp)/",
    ),
    row(
        &REVERSE_SHELL,
        Within::ALL,
        "nc ncat netcat",
        r"\b(?:nc|ncat|netcat)(?:\.exe)?\s[^\n|]{0,120}-\w*[ec]\s+['\x22]?\S*(?:sh|cmd|powershell)\b|\bncat\s[^\n]{0,120}--(?:sh-)?exec\b",
    ),
    row(
        &REVERSE_SHELL,
        Within::ALL,
        "mkfifo mknod socat",
        r"\b(?:mkfifo|mknod)\s[^\n]{0,200}\|\s*(?:nc|ncat|netcat|telnet|openssl\s+s_client)\b|\bsocat\s[^\n]{0,200}\bexec:[^\n]{0,40}(?:sh|cmd)\b",
    ),
    row(
        &REVERSE_SHELL,
        Within::ALL,
        "dup2 pty.spawn tcpclient tcpsocket fsockopen stdout.pipe",
        r"\bdup2\s*\(\s*\w+\.fileno\(\)|\bsocket\b[^\n]{0,400}\bpty\.spawn\s*\(|\btcpclient\b[^\n]{0,400}\bgetstream\b[^\n]{0,800}\b(?:iex|invoke-expression)\b|\btcpsocket\b[^\n]{0,200}\bexec\b|\bfsockopen\b[^\n]{0,200}\b(?:proc_open|shell_exec|exec)\b|\.pipe\(\s*\w+\.stdin\s*\)[^\n]{0,80}\.stdout\.pipe\(",
    ),
    // An archive that only its reader can open.
    row(
        &LOCKED_ARCHIVE,
        Within::ALL,
        "unzip 7z unrar extractall bsdtar",
        r"\bunzip\s[^\n|;]{0,120}(?-i:-P)\s*['\x22$\w]|\b(?:7z[azr]?|unrar)\s+[xe](?:\s[^\n|;]{0,160})?\s(?-i:-p)['\x22$\w]|\bbsdtar\s[^\n|;]{0,120}--passphrase|\bextractall\s*\([^\n]{0,80}pwd\s*=",
    ),
    row(
        &LOCKED_ARCHIVE,
        Within::PROSE,
        "pass pwd",
        r"\b(?:zip|7z|rar|archive|extract|unpack|unzip)\b[^\n]{0,160}\b(?:using|with|pass(?:word|phrase|code)?|pwd)\b[^\n]{0,16}\b(?:pass(?:word|phrase|code)?|pwd)?\s*(?:is|:|=)\s*[\x60'\x22*]*\S",
    ),
    // Scripts.
    row(
        &RUNS_SCRIPT,
        Within::SHELL,
        "python node bash sh zsh deno bun tsx ts-node ruby perl php pwsh powershell source uv",
        r"{cmd}(?:timeout\s+\S+\s+)?(?:(?:uv|poetry|pipenv|pnpm|yarn|bun|pixi|hatch)\s+run\s+(?:--?\S+\s+)*|npx\s+)?(?:(?:\S*/)?(?:python[\d.]*|(?:ba|z)?sh|node|deno\s+run|bun(?:\s+run)?|tsx|ts-node|ruby|perl|php|pwsh|powershell|source)\s+(?:--?[\w:=-]+(?:\s+bypass)?\s+)*|(?:uv)\s+run\s+)['\x22]?[^\s'\x22;|&-][^\s'\x22;|&]*(?:\.(?:py|sh|bash|m?js|cjs|m?ts|ps1|rb|pl|php)|/scripts/[\w.-]+)(?:$|[\s'\x22;|&)\x60])",
    ),
    row(
        &RUNS_SCRIPT,
        Within::SHELL,
        "./ .ps1 scripts/ .sh .py",
        r"{cmd}(?:&\s*)?['\x22]?(?:(?:\.|~|\$\w+|\$\{\w+\}|\{\w+\}|<[\w -]+>)?[/\\][^\s'\x22;|&]*\.(?:py|sh|bash|m?js|ts|ps1|rb|pl)['\x22]?(?:$|\s+[^\s#(:=─│→←—–-]|\s+--?\w)|\.?/?scripts/[\w./-]+\s+(?:--?\w|<|\w))",
    ),
    row(
        &RUNS_SCRIPT,
        Within::PROSE,
        "run execut invoke launch",
        r"\b(?:run(?:ning|s)?|execut\w+|invok\w+|launch(?:es|ing)?)\b[^\n\x60]{0,60}\x60[^\x60\s]*\.(?:py|sh|m?js|ts|ps1|rb|pl)\b",
    ),
    // The network.
    row(
        &NETWORK,
        Within::SHELL,
        "curl wget http ssh scp rsync nc ncat netcat sftp ftp telnet aria2c git iwr irm invoke-webrequest invoke-restmethod /dev/tcp/ websocat grpcurl start-bitstransfer",
        r"{cmd}(?:curl|wget|https?|xh|ssh|scp|sftp|ftp|telnet|aria2c|nc|ncat|netcat|websocat|grpcurl|ssh-copy-id|iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)(?:\.exe)?\s+\S|{cmd}rsync\s[^\n]*\w:|{cmd}git\s+(?:-\S+\s+\S+\s+)?(?:clone|fetch|pull|push|ls-remote|submodule\s+update)\b|=\s*\$?\(?\s*(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod)\s|/dev/(?:tcp|udp)/",
    ),
    row(
        &NETWORK,
        Within::CODE,
        "requests. httpx aiohttp urlopen urllib http.client urlretrieve socket. websockets. ftplib smtplib paramiko",
        r"\b(?:requests\.(?:get|post|put|patch|delete|head|request|session)|httpx\.\w*(?:get|post|put|patch|delete|stream|client)|aiohttp\.(?:clientsession|request)|urlopen|urlretrieve|urllib\.request|http\.client|socket\.(?:socket|create_connection)|websockets\.connect|ftplib\.|smtplib\.|paramiko\.)",
    ),
    row(
        &NETWORK,
        Within::CODE,
        "fetch axios xmlhttprequest websocket eventsource http.request https.request http.get https.get net.connect createconnection sendbeacon",
        r"(?:\b(?:await|return|yield|void)|[=(,\[>?:])\s*(?:window\.|globalthis\.|self\.)?fetch\s*\(|(?:^|[^\w.])fetch\s*\(\s*(?:['\x22\x60]|new\s+url|[^)]*\)\s*(?:\.then|;\s*$))|\baxios(?:\.\w+)?\s*[(.]|\bnew\s+(?:xmlhttprequest|websocket|eventsource)\b|\bhttps?\.(?:get|request)\s*\(\s*(?:['\x22\x60]https?:|[\w{])|\bnet\.(?:connect|createconnection)\s*\(|\bsendbeacon\s*\(",
    ),
    row(
        &NETWORK,
        Within::CODE,
        "httpclient urlsession reqwest net::http http.new webclient tcpclient httpwebrequest curl_init file_get_contents okhttp uri.open net.dial invoke-webrequest invoke-restmethod faraday",
        r"\b(?:new\s+(?:system\.net\.http\.)?httpclient\b|httpclient\.(?:new|create)|urlsession\.|reqwest::(?:get|client|blocking)|net::http|http\.newrequest|new\s+webclient|net\.webclient|tcpclient|httpwebrequest|curl_init|file_get_contents\s*\(\s*['\x22]https?:|okhttpclient|uri\.open|net\.dial|invoke-webrequest|invoke-restmethod|faraday\.(?:new|get|post))|\bhttp\.(?:post|head)\s*\(\s*['\x22]https?:",
    ),
    row(
        &NETWORK,
        Within::CODE,
        "curl wget git",
        r"\b(?:system|popen|run|call|check_output|check_call|exec|execsync|execfilesync|spawn|spawnsync|popen)\s*\(\s*\[?\s*f?['\x22\x60](?:curl|wget|git['\x22,\s]+(?:clone|fetch|pull|push))\b",
    ),
    // Packages.
    row(
        &INSTALLS,
        Within::SHELL,
        "npm pnpm yarn bun npx bunx",
        r"{cmd}(?:npm\s+(?:--?\S+\s+)*(?:i|install|ci|add|exec|update|create|init\s+[\w@])(?:\s|$|[\x60'\x22;&)])|pnpm\s+(?:--?\S+(?:\s+\S+)?\s+)*(?:add|install|i|dlx|create|update)(?:\s|$|[;&)])|yarn\s+(?:add|install|dlx|create|global\s+add)(?:\s|$|[;&)])|yarn\s*$|bun\s+(?:add|install|i|x|create)(?:\s|$|[;&)])|bunx\s+\S|npx\s+\S)",
    ),
    row(
        &INSTALLS,
        Within::SHELL,
        "pip pip3 pipx uv uvx poetry conda mamba pdm",
        r"{cmd}(?:!|%)?(?:(?:python[\d.]*|py)\s+-m\s+)?(?:(?:uv\s+)?pip3?\s+(?:--?\S+\s+)*(?:install|download)\s|pipx\s+(?:install|run|inject)\s|uv\s+(?:add|sync|tool\s+(?:install|run)|python\s+install)(?:\s|$|[;&)])|uv\s+run\s[^\n;|]*--with\s|uvx\s+\S|poetry\s+(?:add|install)(?:\s|$|[;&)])|(?:conda|mamba|micromamba)\s+(?:install|create|env\s+create|env\s+update)\s|pdm\s+(?:add|install|sync)(?:\s|$))",
    ),
    row(
        &INSTALLS,
        Within::SHELL,
        "brew apt apt-get apk dnf yum pacman zypper snap flatpak port winget choco scoop install-module install-package",
        r"{cmd}(?:brew\s+(?:--?\S+\s+)*(?:install|bundle|tap|upgrade|reinstall)(?:\s|$)|(?:apt|apt-get|dnf|yum|zypper|microdnf)\s+(?:--?\S+\s+)*(?:install|upgrade|dist-upgrade)(?:\s|$)|apk\s+(?:--?\S+\s+)*add\s|pacman\s+-S|snap\s+install\s|flatpak\s+install\s|port\s+install\s|winget\s+(?:install|upgrade)\s|choco\s+(?:install|upgrade)\s|scoop\s+install\s|install-(?:module|package|script)\s)",
    ),
    row(
        &INSTALLS,
        Within::SHELL,
        "cargo go gem bundle composer dotnet luarocks mix helm krew code gh nix rustup deno install.packages cpan",
        r"{cmd}(?:cargo\s+(?:\+\S+\s+)?(?:install|add|binstall)\s|go\s+(?:install|get)\s+\S|gem\s+install\s|bundle\s+(?:install|add|update)(?:\s|$)|bundle\s*$|composer\s+(?:global\s+)?(?:require|install|update|create-project)(?:\s|$)|dotnet\s+(?:tool\s+(?:install|update|restore)|add\s[^\n]*package|restore|new\s+install|workload\s+(?:install|restore|update)|package\s+add)(?:\s|$)|dnx\s+\S|luarocks\s+install\s|mix\s+(?:deps\.get|archive\.install)|helm\s+(?:install|repo\s+add|plugin\s+install|upgrade\s+--install|upgrade\s+-i)\s|kubectl\s+krew\s+install\s|code\s+--install-extension\s|gh\s+extension\s+install\s|az\s+extension\s+add\s|nix\s+(?:profile\s+install|run|shell)\s|rustup\s+(?:install|component\s+add|target\s+add|toolchain\s+install)\s|deno\s+(?:install|add)\s|cpanm?\s+\w)",
    ),
    row(
        &INSTALLS,
        Within::CODE,
        "install npx",
        r"\b(?:system|popen|run|call|check_output|check_call|exec|execsync|spawn|spawnsync)\s*\([^\n]{0,80}(?:\bpip3?\b[^\n]{0,12}\binstall\b|\bnpm\b[^\n]{0,8}\b(?:install|i|ci)\b|\b(?:brew|apt|apt-get|gem|cargo)\b[^\n]{0,12}\binstall\b|['\x22\x60]npx\b)|(?:^|\s)[!%]pip\s+install\s|\binstall\.packages\s*\(",
    ),
    // Credentials that need no home directory to be found.
    row(
        &CREDENTIALS,
        Within::READ,
        ".aws/credentials .ssh/id_ /etc/shadow login.keychain find-generic-password find-internet-password cookies.sqlite wallet.dat .git-credentials .credentials.json oauth_creds.json auth.json .env",
        r"\.aws/credentials|\.ssh/id_|/etc/shadow\b|login\.keychain|\bsecurity\s+find-(?:generic|internet)-password|cookies\.sqlite|wallet\.dat|\.git-credentials|\.claude/\.credentials\.json|oauth_creds\.json|\.codex/auth\.json|\.(?:openclaw|clawdbot|moltbot)/(?:\.env|credentials)",
    ),
    // Secrets in variables. Their names are in capitals.
    row(
        &SECRET_VARIABLE,
        Within::SHELL,
        "key token secret pass credential _pat connection_string connectionstring",
        r"(?-i:\$(?:env:)?\{?(?:[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*)?(?:API_?KEY|[A-Z0-9]+_KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|[A-Z]+_PAT|[A-Z]+_PASS|CONNECTION_?STRING)\b)",
    ),
    row(
        &SECRET_VARIABLE,
        Within::CODE,
        "environ getenv process.env env. import.meta.env env.get bun.env env[ env.fetch env.var env.secret env::var getenvironmentvariable environment.",
        r"(?:\benviron(?:\.get)?\s*[\[(]|\bgetenv\s*\(|\bprocess\.env(?:\.|\[)|\b(?:meta\.)?env\.|\benv\.get\(|\bbun\.env\.|\benv\[|\benv\.(?:fetch|var|secret)\(|\benv::var\(|\bgetenvironmentvariable\()\s*['\x22]?(?-i:(?:[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*)?(?:API_?KEY|[A-Z0-9]+_KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?|[A-Z]+_PAT|[A-Z]+_PASS|CONNECTION_?STRING)\b)",
    ),
    // An agent's own files and servers.
    row(
        &AGENT_SETTINGS,
        Within::SHELL,
        AGENT_WORDS,
        r"(?:(?:^|[\s\d&])>>?|\btee\b(?:\s+-a)?|\bsed\s+-i\S*\s[^\n]*|\b(?:mkdir|touch)\s+(?:-p\s+)?|\b(?:out-file|set-content|add-content)\s[^\n]{0,40}|\bnew-item\s[^\n]{0,120})\s*['\x22]?[^\s<>|]*{agent}",
    ),
    row(
        &AGENT_SETTINGS,
        Within::SHELL,
        "cp mv ln rsync clone unzip tar install",
        r"\b(?:cp|mv|ln|rsync|install|unzip|tar|git\s+clone)\s[^\n]*\s['\x22]?[^\s<>|]*{agent}[^\s]*['\x22]?\s*(?:$|[;&|#)\x60]|2>)",
    ),
    row(
        &AGENT_SETTINGS,
        Within::SHELL,
        "claude codex gemini skills openclaw clawhub plugin mcp",
        r"{cmd}(?:npx\s+(?:-y\s+|--yes\s+)?)?(?:(?:claude|codex|gemini|copilot|openclaw|opencode|amp|qwen|cursor-agent)\s+(?:mcp\s+(?:add|remove)\S*|config\s+set|plugin\s+(?:install|add|marketplace)|plugins?\s+install|extensions?\s+(?:install|link|enable)|skills?\s+(?:install|add|link|enable))|(?:skills|clawhub|add-mcp|add-skill)(?:@\S+)?\s+(?:add|install|remove|update|https?:))(?:\s|$|[\x60;&)])|(?:^|[\s\x60])/(?:plugin\s+(?:install|marketplace\s+add)|skills\s+(?:add|install))\s+\S",
    ),
    row(
        &AGENT_SETTINGS,
        Within::CODE,
        AGENT_WORDS,
        r"(?:\bopen\s*\([^\n]*{agent}[^\n]*['\x22][wa]b?\+?['\x22]|\b(?:writefile(?:sync)?|appendfile(?:sync)?|copyfile(?:sync)?|symlink(?:sync)?|outputfile|write_text|shutil\.copy\w*|file_put_contents)\s*\([^\n]*{agent}|{agent}[^\n]{0,40}\.write_text\s*\()",
    ),
    // Later.
    row(
        &PERSISTENCE,
        Within::SHELL,
        "crontab cron launchctl systemctl schtasks scheduledtask launchagents launchdaemons update-rc.d",
        r"{cmd}(?:crontab\s+(?:-e|-u\s+\S+\s+-e|-\s*$|[^-\s])|launchctl\s+(?:load|bootstrap|enable|submit|start)\s|systemctl\s+(?:--\S+\s+)*enable\s|schtasks(?:\.exe)?\s+/create|register-scheduledtask|update-rc\.d\s)|\|\s*crontab\s|(?:>>?|\btee\b(?:\s+-a)?|\b(?:cp|mv|ln|install)\b[^\n]*)\s*['\x22]?\S*(?:/etc/cron|/etc/systemd/system|\.config/systemd/user|launchagents|launchdaemons)",
    ),
    row(
        &PERSISTENCE,
        Within::SHELL,
        ".bashrc .zshrc .profile .bash_profile .zprofile .zshenv rc.local config.fish authorized_keys currentversion $profile",
        r"(?:>>?|\btee\b(?:\s+-a)?|\bsed\s+-i\S*\s[^\n]*|add-content\s[^\n]*|set-content\s[^\n]*)\s*['\x22]?\S*(?:\.bashrc|\.zshrc|\.profile|\.bash_profile|\.zprofile|\.zshenv|rc\.local|config\.fish|authorized_keys|\$profile\b)|\breg\s+add\b[^\n]*currentversion\\+run",
    ),
];

pub(super) const STEPS: &[Steps] = &[Steps {
    rule: &DECODE_RUN,
    within: Within::RUN,
    words: "b64decode b85decode b32decode fromhex unhexlify decompress atob buffer.from frombase64string base64",
    first: r"(?:^|[\s;({])\$?(\w+)\s*=[^=\n][^\n]{0,400}?(?:b64decode|b85decode|b32decode|fromhex|unhexlify|decompress|atob|frombase64string|base64_decode)\s*\(|(?:^|[\s;({])(\w+)=\x22?(?:\$\(|\x60)[^\n]*base64\s+(?:-d|--decode)",
    then_words: "exec eval system popen function iex invoke-expression bash sh",
    then: r"\b(?:exec|eval|os\.system|os\.popen|new\s+function|execsync|iex|invoke-expression|(?:ba|z|da)?sh\s+-c)\s*\(?\s*['\x22]?\$?\{?(\w+)",
}];
