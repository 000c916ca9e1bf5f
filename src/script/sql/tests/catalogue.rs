//! Every problem has its message in both languages.

use super::*;

#[test]
fn every_problem_has_one_message_in_each_language() {
    for text in [
        include_str!("../../../../static/i18n/en/sql.ftl"),
        include_str!("../../../../static/i18n/ru/sql.ftl"),
    ] {
        let messages: Vec<_> = text.lines().filter_map(|line| line.split_once(" = ")).collect();
        let ids: Vec<_> = messages.iter().map(|(id, _)| *id).collect();
        let wanted: Vec<_> = SqlProblem::ALL.iter().map(|problem| problem.id()).collect();
        assert_eq!(ids, wanted);
    }
}
