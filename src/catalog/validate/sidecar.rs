//! `agents/openai.yaml`, which Codex reads beside a `SKILL.md`. Where anything in it has a wrong
//! type, Codex ignores all of it (0.169.0, by trying).

use crate::catalog::frontmatter::{Tree, libyaml_tree, single};

/// What the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sidecar {
    /// `policy.allow_implicit_invocation: false`.
    pub not_implicitly: bool,
    /// `policy.products` names products, and Codex is not among them.
    pub other_products: bool,
}

const PRODUCTS: [&str; 3] = ["codex", "chatgpt", "atlas"];

const INTERFACE: [&str; 6] = [
    "display_name",
    "short_description",
    "icon_small",
    "icon_large",
    "brand_color",
    "default_prompt",
];

const TOOL: [&str; 6] = ["type", "value", "description", "transport", "command", "url"];

impl Sidecar {
    /// Reads the bytes of the file. What cannot be read says nothing.
    pub fn read(bytes: &[u8]) -> Self {
        std::str::from_utf8(bytes).ok().and_then(read).unwrap_or_default()
    }
}

type Pairs<'a> = Vec<(&'a str, &'a Tree)>;

fn read(text: &str) -> Option<Sidecar> {
    let tree = libyaml_tree(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let pairs = tree.pairs()?;
    let [interface, dependencies, policy] =
        ["interface", "dependencies", "policy"].map(|key| single(&pairs, key));
    if let Some(interface) = map(interface?)? {
        texts(&interface, &INTERFACE)?;
    }
    if let Some(dependencies) = map(dependencies?)?
        && let Some(tools) = single(&dependencies, "tools")?
    {
        let Tree::List(tools) = tools else { return None };
        tools.iter().try_for_each(|tool| texts(&tool.pairs()?, &TOOL))?;
    }
    let Some(policy) = map(policy?)? else { return Some(Sidecar::default()) };
    let implicit =
        match single(&policy, "allow_implicit_invocation")?.filter(|said| !said.is_null()) {
            Some(said) => Some(said.truth()?),
            None => None,
        };
    let products = match single(&policy, "products")? {
        None => Vec::new(),
        Some(Tree::List(items)) => items.iter().map(product).collect::<Option<Vec<_>>>()?,
        Some(_) => return None,
    };
    Some(Sidecar {
        not_implicitly: implicit == Some(false),
        other_products: !products.is_empty() && !products.contains(&PRODUCTS[0]),
    })
}

fn product(item: &Tree) -> Option<&'static str> {
    let text = item.text()?;
    PRODUCTS.into_iter().find(|product| product.eq_ignore_ascii_case(text))
}

/// The pairs of a map, or nothing where it is absent or null. Anything else is the outer `None`.
fn map(value: Option<&Tree>) -> Option<Option<Pairs<'_>>> {
    match value {
        Some(value) if !value.is_null() => Some(Some(value.pairs()?)),
        _ => Some(None),
    }
}

/// Whether these keys have scalars, where they are there.
fn texts(pairs: &Pairs<'_>, keys: &[&str]) -> Option<()> {
    keys.iter().try_for_each(|key| match single(pairs, key)? {
        Some(value) => value.text().map(drop),
        None => Some(()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> (bool, bool) {
        let Sidecar { not_implicitly, other_products } = Sidecar::read(text.as_bytes());
        (not_implicitly, other_products)
    }

    #[test]
    fn a_sidecar_forbids_implicit_use_only_where_it_says_so() {
        let no = "policy:\n  allow_implicit_invocation: false\n";
        assert!(said(no).0 && said(&format!("\u{feff}interface:\n  display_name: X\n{no}")).0);
        for other in [
            "policy:\n  allow_implicit_invocation: true\n",
            "policy: {allow_implicit_invocation: no}",
            "policy:\n  allow_implicit_invocation: \"false\"\n",
            "allow_implicit_invocation: false\n",
            "",
            "\u{0}: [",
        ] {
            assert!(!said(other).0, "{other}");
        }
    }

    #[test]
    fn products_leave_codex_out_only_where_all_of_the_file_is_sound() {
        let chatgpt = "policy:\n  products: [chatgpt]\n";
        for further in ["", "interface: ~\n", "interface:\n  short_description: 5\n", "foo: [a]\n"]
        {
            assert!(said(&format!("{chatgpt}{further}")).1, "{further}");
        }
        for further in [
            "interface: [a]\n",
            "interface:\n  icon_small: [a]\n",
            "dependencies:\n  tools:\n    - x\n",
            "bad\n",
            "# \u{7}\n",
            "---\n",
            "policy: {}\n",
        ] {
            assert!(!said(&format!("{chatgpt}{further}")).1, "{further}");
        }
        for products in ["[codex]", "[chatgpt, CODEX]", "[]", "chatgpt", "[chatgpt, x]", "~"] {
            assert!(!said(&format!("policy:\n  products: {products}\n")).1, "{products}");
        }
    }
}
