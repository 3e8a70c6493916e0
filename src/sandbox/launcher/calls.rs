//! The part of the sandbox that seccomp enforces: the calls of [`super::table`] are refused.

use super::Refused;
use super::table::{Answer, LandlockCovers, numbers, rows};
use crate::sandbox::Part;
use seccompiler::{
    SeccompAction, SeccompCmpArgLen, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
    apply_filter,
};
use std::collections::BTreeMap;

/// Refuses the calls for this process and all that it starts.
pub(super) fn restrict(covers: LandlockCovers) -> Result<(), Refused> {
    let failed =
        |error: &dyn std::fmt::Display| Refused { part: Part::Calls, reason: error.to_string() };
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| failed(&error))?;
    for answer in Answer::ALL {
        let rules = rules(covers, answer).map_err(|error| failed(&error))?;
        let action = SeccompAction::Errno(answer.number());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, machine)
            .map_err(|error| failed(&error))?;
        let program: seccompiler::BpfProgram = filter.try_into().map_err(|error| failed(&error))?;
        apply_filter(&program).map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// The rules of one filter: a filter has one answer for all calls that it refuses.
fn rules(
    covers: LandlockCovers,
    answer: Answer,
) -> Result<BTreeMap<i64, Vec<SeccompRule>>, seccompiler::BackendError> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for row in rows(covers, std::process::id()).into_iter().filter(|row| row.answer == answer) {
        let conditions = row.conditions.iter().map(|condition| {
            let (length, comparison) = (SeccompCmpArgLen::Dword, condition.comparison.clone());
            SeccompCondition::new(condition.argument, length, comparison, condition.value)
        });
        let conditions: Vec<SeccompCondition> = conditions.collect::<Result<_, _>>()?;
        for number in numbers(row.call) {
            let chain = rules.entry(number).or_default();
            // A call without any rule in its chain is refused always.
            if !conditions.is_empty() {
                chain.push(SeccompRule::new(conditions.clone())?);
            }
        }
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KERNELS: [LandlockCovers; 3] = [
        LandlockCovers { truncation: true, signals: true },
        LandlockCovers { truncation: true, signals: false },
        LandlockCovers { truncation: false, signals: false },
    ];

    #[test]
    fn a_call_is_refused_always_or_sometimes_and_in_one_way() {
        for covers in KERNELS {
            let rows = rows(covers, 1);
            for row in &rows {
                for other in rows.iter().filter(|other| other.call == row.call) {
                    assert_eq!(row.answer, other.answer, "{}", row.call);
                    let [here, there] = [row, other].map(|row| row.conditions.is_empty());
                    assert_eq!(here, there, "{}", row.call);
                }
            }
        }
    }

    #[test]
    fn every_filter_can_be_made_and_an_older_kernel_is_kept_by_more_of_them() {
        let sizes = KERNELS.map(|covers| {
            Answer::ALL.map(|answer| {
                let rules = rules(covers, answer).unwrap();
                rules.values().map(|chain| chain.len().max(1)).sum::<usize>()
            })
        });
        assert!(sizes[0].iter().all(|size| *size > 0));
        assert!(sizes[1][0] > sizes[0][0] && sizes[2][0] > sizes[1][0], "{sizes:?}");
        for answer in Answer::ALL {
            let rules = rules(KERNELS[2], answer).unwrap();
            let action = SeccompAction::Errno(answer.number());
            let machine = TargetArch::try_from(std::env::consts::ARCH).unwrap();
            let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, machine).unwrap();
            let program: seccompiler::BpfProgram = filter.try_into().unwrap();
            assert!(program.len() < 4_096);
        }
    }
}
