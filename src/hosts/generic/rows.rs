//! The table: one row an agent, by its word.
//!
//! From the documentation and source of the installer that most people use (`vercel-labs/skills`,
//! npm 1.7.4 and what followed); agents that we know better have files of their own. A row says:
//! word, name, folders of the working directory, the agent's own folders (with the variable that
//! names them), the person's skills.

use super::{CHILDREN, Own, own, roots};
use crate::catalog::HostId;
use crate::hosts::{Detect, Folder, Host};

macro_rules! agents {
    ($($id:literal $name:literal [$($project:literal),*] [$($variable:literal $folder:literal),*] $own:expr;)*) => {
        /// The agents of which no more is known than where they keep skills.
        pub const HOSTS: &[&Host] = &[$({
            const FOLDERS: &[Folder] = &[$(Folder { variable: $variable, default: $folder, tilde: false }),*];
            const HOST: Host = Host {
                id: HostId($id),
                name: $name,
                detect: Detect { programs: &[], folders: FOLDERS, ..Detect::NEVER },
                roots: |reading| {
                    roots(reading, HostId($id), CHILDREN, &[$($project),*], own(reading, FOLDERS, $own))
                },
                ..Host::PLAIN
            };
            &HOST
        }),*];
    };
}

// A row stays on one line.
#[rustfmt::skip]
agents! {
    "adal" "AdaL" [".adal/skills"] ["" ".adal"] Own::Beneath("skills");
    "aider-desk" "AiderDesk" [".aider-desk/skills"] ["" ".aider-desk"] Own::Beneath("skills");
    "antigravity" "Antigravity" [".agents/skills"] ["" ".gemini/antigravity"] Own::Beneath("skills");
    "antigravity-cli" "Antigravity CLI" [".agents/skills"] ["" ".gemini/antigravity-cli"] Own::Beneath("skills");
    "astrbot" "AstrBot" ["data/skills"] ["" ".astrbot"] Own::Beneath("data/skills");
    "augment" "Augment" [".augment/skills"] ["" ".augment"] Own::Beneath("skills");
    "autohand-code" "Autohand Code CLI" [".autohand/skills"] ["AUTOHAND_HOME" ".autohand"] Own::Beneath("skills");
    "bob" "IBM Bob" [".bob/skills"] ["" ".bob"] Own::Beneath("skills");
    "cline" "Cline" [".agents/skills"] ["" ".cline"] Own::Shared(".agents/skills");
    "codearts-agent" "CodeArts Agent" [".codeartsdoer/skills"] ["" ".codeartsdoer"] Own::Beneath("skills");
    "codebuddy" "CodeBuddy" [".codebuddy/skills"] ["" ".codebuddy"] Own::Beneath("skills");
    "codemaker" "Codemaker" [".codemaker/skills"] ["" ".codemaker"] Own::Beneath("skills");
    "codestudio" "Code Studio" [".codestudio/skills"] ["" ".codestudio"] Own::Beneath("skills");
    "codewhale" "CodeWhale" [".codewhale/skills"] ["CODEWHALE_HOME" ".codewhale"] Own::Beneath("skills");
    "command-code" "Command Code" [".commandcode/skills"] ["" ".commandcode"] Own::Beneath("skills");
    "continue" "Continue" [".continue/skills"] ["" ".continue"] Own::Beneath("skills");
    "cortex" "Cortex Code" [".cortex/skills"] ["" ".snowflake/cortex"] Own::Beneath("skills");
    "crush" "Crush" [".crush/skills"] ["" ".config/crush"] Own::Beneath("skills");
    "deepagents" "Deep Agents" [".agents/skills"] ["" ".deepagents"] Own::Beneath("agent/skills");
    "devin" "Devin for Terminal" [".devin/skills"] ["" ".config/devin"] Own::Beneath("skills");
    "dexto" "Dexto" [".agents/skills"] ["" ".dexto"] Own::Shared(".agents/skills");
    "eve" "Eve" ["agent/skills"] [] Own::Nowhere;
    "firebender" "Firebender" [".agents/skills"] ["" ".firebender"] Own::Beneath("skills");
    "forgecode" "ForgeCode" [".forge/skills"] ["" ".forge"] Own::Beneath("skills");
    "fx" "fx" [".fx/skills"] ["" ".fx"] Own::Beneath("skills");
    "grok" "Grok Build" [".grok/skills"] ["GROK_HOME" ".grok"] Own::Beneath("skills");
    "hermes-agent" "Hermes Agent" [".hermes/skills"] ["HERMES_HOME" ".hermes"] Own::Beneath("skills");
    "iflow-cli" "iFlow CLI" [".iflow/skills"] ["" ".iflow"] Own::Beneath("skills");
    "inference-sh" "inference.sh" [".inferencesh/skills"] ["" ".inferencesh"] Own::Beneath("skills");
    "jazz" "Jazz" [".jazz/skills"] ["" ".jazz"] Own::Beneath("skills");
    "junie" "Junie" [".junie/skills"] ["" ".junie"] Own::Beneath("skills");
    "kimchi" "Kimchi" [".kimchi/skills"] ["" ".config/kimchi"] Own::Beneath("harness/skills");
    "kiro-cli" "Kiro CLI" [".kiro/skills"] ["" ".kiro"] Own::Beneath("skills");
    "kode" "Kode" [".kode/skills"] ["" ".kode"] Own::Beneath("skills");
    "lingma" "Lingma" [".lingma/skills"] ["" ".lingma"] Own::Beneath("skills");
    "loaf" "Loaf" [".agents/skills"] ["" ".loaf"] Own::Shared(".agents/skills");
    "mcpjam" "MCPJam" [".mcpjam/skills"] ["" ".mcpjam"] Own::Beneath("skills");
    "minimax-code" "MiniMax Code" [".minimax/skills"] ["" ".minimax"] Own::Beneath("skills");
    "moxby" "Moxby" [".moxby/skills"] ["" ".moxby"] Own::Beneath("skills");
    "mux" "Mux" [".mux/skills"] ["" ".mux"] Own::Beneath("skills");
    "neovate" "Neovate" [".neovate/skills"] ["" ".neovate"] Own::Beneath("skills");
    "ona" "Ona" [".ona/skills"] ["" ".ona"] Own::Beneath("skills");
    "openclaw" "OpenClaw" ["skills"] ["" ".openclaw", "" ".clawdbot", "" ".moltbot"] Own::Beneath("skills");
    "openhands" "OpenHands" [".openhands/skills"] ["" ".openhands"] Own::Beneath("skills");
    "pochi" "Pochi" [".pochi/skills"] ["" ".pochi"] Own::Beneath("skills");
    "posit-assistant" "Posit Assistant" [".posit/assistant/skills"] ["" ".posit/assistant"] Own::Beneath("skills");
    "promptscript" "PromptScript" [".agents/skills"] [] Own::Nowhere;
    "qoder-cn" "Qoder CN" [".qoder/skills"] ["" ".qoder-cn"] Own::Beneath("skills");
    "reasonix" "Reasonix" [".reasonix/skills"] ["" ".reasonix"] Own::Beneath("skills");
    "replit" "Replit" [".agents/skills"] [] Own::Shared(".config/agents/skills");
    "roo" "Roo Code" [".roo/skills"] ["" ".roo"] Own::Beneath("skills");
    "rovodev" "Rovo Dev" [".rovodev/skills"] ["" ".rovodev"] Own::Beneath("skills");
    "sarvam-code" "Sarvam Code" [".agents/skills"] ["SARVAM_HOME" ".sarvam"] Own::Shared(".agents/skills");
    "tabnine-cli" "Tabnine CLI" [".tabnine/agent/skills"] ["" ".tabnine"] Own::Beneath("agent/skills");
    "terramind" "Terramind" [".terramind/skills"] ["" ".terramind"] Own::Beneath("skills");
    "tinycloud" "Tinycloud" [".tinycloud/skills"] ["" ".tinycloud"] Own::Beneath("skills");
    "trae" "Trae" [".trae/skills"] ["" ".trae"] Own::Beneath("skills");
    "trae-cn" "Trae CN" [".trae/skills"] ["" ".trae-cn"] Own::Beneath("skills");
    "universal" "Universal" [".agents/skills"] [] Own::Shared(".config/agents/skills");
    "warp" "Warp" [".agents/skills"] ["" ".warp"] Own::Shared(".agents/skills");
    "windsurf" "Windsurf" [".windsurf/skills"] ["" ".codeium/windsurf"] Own::Beneath("skills");
    "zcode" "ZCode" [".zcode/skills"] ["" ".zcode"] Own::Beneath("skills");
    "zed" "Zed" [".agents/skills"] ["" ".config/zed"] Own::Shared(".agents/skills");
    "zencoder" "Zencoder" [".zencoder/skills"] ["" ".zencoder"] Own::Beneath("skills");
    "zenflow" "Zenflow" [".zencoder/skills"] [] Own::Shared(".zencoder/skills");
}
