//! Small meshes and rays on which ray casters and mesh readers are known to go wrong.

mod check;
mod format;

use std::path::Path;

/// The project's own cases: `name`, `obj` (the file's text), `rays` (six or eight numbers) and
/// `expect` (one a ray). Where something is left out: `level` must, `load` ok, the closest hit
/// on both sides, `t` within 1e-5 of itself, weights within 1e-4.
#[test]
fn the_projects_cases_hold() {
    run(include_str!("../cases.json"));
}

/// A larger collection, where it lies beside the project.
#[test]
fn the_shared_cases_hold() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/cases/cases.json");
    match std::fs::read_to_string(path) {
        Ok(text) => run(&text),
        Err(_) => println!("skipped: there is no ../shared/cases/cases.json beside the project"),
    }
}

/// A runner that finds nothing wrong is no use if it finds nothing wrong with anything.
#[test]
fn wrong_expectations_are_noticed() {
    let right = r#""obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n""#;
    let down = r#""rays": [[0.25, 0.5, 1, 0, 0, -1]]"#;
    let hit = |wrong: &str| format!(r#"{down}, "expect": [{{ "hit": true, {wrong} }}]"#);
    let all = |wrong: &str| {
        format!(r#"{down}, "options": {{ "query": "all" }}, "expect": [{{ {wrong} }}]"#)
    };
    let wrong = [
        format!(r#"{down}, "expect": [{{ "hit": false }}]"#),
        format!(r#"{down}, "expect": [{{ "either": [{{ "hit": false }}, {{ "hit": false }}] }}]"#),
        format!(r#"{down}, "expect": []"#),
        format!(r#"{down}, "options": {{ "cull": "back" }}, "expect": [{{ "hit": false }}]"#),
        format!(r#"{down}, "options": {{ "query": "any" }}, "expect": [{{ "hit": false }}]"#),
        hit(r#""t": 1.0001"#),
        hit(r#""tri": [1]"#),
        hit(r#""u": 0.26, "v": 0.5"#),
        hit(r#""u": 0.25, "v": 0.4"#),
        hit(r#""side": "back""#),
        hit(r#""normal_dir": [0, 0, -1]"#),
        all(r#""count": 2, "count_min": 1"#),
        all(r#""count": 1, "count_min": 0"#),
        all(r#""distinct_t": [1, 2]"#),
        all(r#""distinct_t": []"#),
        r#""load": "error""#.into(),
        r#""n_tris": 2"#.into(),
        r#""points": [[0.25, 0.25, 1]], "expect_inside": [true]"#.into(),
        // An open mesh leaks.
        String::new(),
    ];
    for wrong in wrong {
        let wrong = if wrong.is_empty() { wrong } else { format!(", {wrong}") };
        let text = format!(r#"{{ "cases": [{{ "name": "wrong", {right}{wrong} }}] }}"#);
        assert!(!check::faults(&format::cases(&text)[0]).is_empty(), "{text}");
    }
}

fn run(text: &str) {
    let cases = format::cases(text);
    assert!(cases.len() > 50, "only {} cases", cases.len());
    let (mut held, mut broken) = (0, Vec::new());
    for case in &cases {
        let faults = check::faults(case);
        let Some(first) = faults.first() else {
            held += 1;
            continue;
        };
        let note = if case.binding { "" } else { " (not binding)" };
        println!("{:44} {} faults{note}: {first}", case.name, faults.len());
        if case.binding {
            broken.push(case.name.as_str());
        }
    }
    println!("{held} of {} cases hold", cases.len());
    assert!(broken.is_empty(), "{} cases do not hold: {}", broken.len(), broken.join(", "));
}
