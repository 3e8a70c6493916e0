//! `skillpick budget`.

use super::{Exit, Failure, Place, open};
use crate::catalog::HostId;
use crate::output::Out;
use crate::output::budget::{self, BudgetDocument};
use crate::output::table::Signs;
use crate::runtime::budget::{ForecastRequest, HostForecast, forecast};
use clap::Args;

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The model's context window in tokens, such as 200000, 200k or 1m [default: that of the model
    /// in the host's settings]
    #[arg(long, value_name = "TOKENS", value_parser = tokens)]
    window: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(place: &Place, options: &Options, out: &mut Out) -> Result<Exit, Failure> {
    let workspace = open::checked(place, &[], out)?;
    let view = workspace.view();
    open::warn_about_roots(&view, out)?;
    open::warn_about_hosts(&view, out);
    let hosts: Vec<HostId> = view.host_contexts.iter().map(|context| context.host.id).collect();
    let wanted = |host| ForecastRequest { host, window: options.window, without: None };
    let of = |host: HostId| forecast(&workspace, &view, &wanted(host));
    let forecasts: Vec<HostForecast> = hosts.into_iter().filter_map(of).collect();
    if options.json {
        out.json(&BudgetDocument::of(&forecasts))?;
        return Ok(Exit::Done);
    }
    let signs = Signs { ascii: workspace.config.values.ascii.value };
    match forecasts.as_slice() {
        [one] => budget::print(out, one, signs)?,
        several => budget::print_several(out, several, signs)?,
    }
    Ok(Exit::Done)
}

/// A number of tokens, with `k` or `m` for thousands and millions.
fn tokens(text: &str) -> Result<usize, String> {
    let lower = text.to_ascii_lowercase();
    let (digits, unit) = match lower.strip_suffix(['k', 'm']) {
        Some(digits) if lower.ends_with('k') => (digits, 1_000),
        Some(digits) => (digits, 1_000_000),
        None => (lower.as_str(), 1),
    };
    let number = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(unit));
    let allowed = number.filter(|number| (1..=1_000_000_000).contains(number));
    allowed.ok_or_else(|| "not a number of tokens such as 200000, 200k or 1m".to_owned())
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn tokens_are_a_number_in_thousands_or_in_millions() {
        assert_eq!(
            (tokens("8000"), tokens("200k"), tokens("1M")),
            (Ok(8_000), Ok(200_000), Ok(1_000_000))
        );
        for wrong in ["", "k", "0", "-1", "1.5k", "1kk", "99999999999999999999m", "2000m"] {
            assert!(tokens(wrong).is_err(), "{wrong}");
        }
    }
}
