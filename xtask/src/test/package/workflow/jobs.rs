//! The jobs of a workflow in the order in which they run, with the row of the matrix filled in.

use serde_json::Value;

use crate::Result;

/// A job.
#[derive(Debug, PartialEq, Eq)]
pub struct Job {
    /// Its name.
    pub name: String,
    /// What its steps do.
    pub actions: Vec<Action>,
}

/// What a step does.
#[derive(Debug, PartialEq, Eq)]
pub enum Action {
    /// It uses an action of the host.
    Host(String),
    /// It runs a command.
    Run(String),
}

/// The rows of the matrix, of all jobs.
pub fn rows(workflow: &Value) -> Vec<&Value> {
    let jobs = workflow["jobs"].as_object().into_iter().flatten();
    let rows = jobs.filter_map(|(_, job)| job["strategy"]["matrix"]["include"].as_array());
    rows.flatten().collect()
}

/// The jobs, each after those that it needs. Of a matrix the row of `target` is taken.
pub fn jobs(workflow: &Value, target: &str) -> Result<Vec<Job>> {
    let all = workflow["jobs"].as_object().ok_or("there are no jobs")?;
    let mut ordered: Vec<Job> = Vec::new();
    while ordered.len() < all.len() {
        let is_known = |name: &str| ordered.iter().any(|job| job.name == name);
        let is_next = |(name, job): &(&String, &Value)| {
            !is_known(name) && needs(job).iter().all(|needed| is_known(needed))
        };
        let (name, job) = all.iter().find(is_next).ok_or("jobs need each other")?;
        let actions = actions(job, target).map_err(|why| format!("job {name}: {why}"))?;
        let name = name.clone();
        ordered.push(Job { name, actions });
    }
    Ok(ordered)
}

/// The jobs that a job needs: one name, or a list.
fn needs(job: &Value) -> Vec<&str> {
    match &job["needs"] {
        Value::String(name) => vec![name],
        Value::Array(names) => names.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn actions(job: &Value, target: &str) -> Result<Vec<Action>> {
    let row = match &job["strategy"]["matrix"]["include"] {
        Value::Array(rows) => rows
            .iter()
            .find(|row| row["target"] == target)
            .ok_or_else(|| format!("the matrix has no row for {target}"))?,
        _ => &Value::Null,
    };
    let steps = job["steps"].as_array().ok_or("it has no steps")?;
    steps.iter().map(|step| action(step, row)).collect()
}

fn action(step: &Value, row: &Value) -> Result<Action> {
    if let Some(uses) = step["uses"].as_str() {
        return Ok(Action::Host(uses.to_owned()));
    }
    let unknown = ["if", "shell", "working-directory"]
        .into_iter()
        .find(|key| !step[key].is_null());
    match (step["run"].as_str(), unknown) {
        (Some(run), None) => fill(run.trim(), row).map(Action::Run),
        (_, Some(key)) => Err(format!("the dry run does not know the key {key} of a step")),
        (None, None) => Err(format!("a step neither runs nor uses anything: {step}")),
    }
}

/// Fills the values of the matrix in.
fn fill(run: &str, row: &Value) -> Result<String> {
    let mut filled = run.to_owned();
    for (name, value) in row.as_object().into_iter().flatten() {
        let value = value.as_str().unwrap_or_default();
        filled = filled.replace(&format!("${{{{ matrix.{name} }}}}"), value);
    }
    match filled.contains("${{") {
        true => Err(format!("the dry run does not know a value of `{filled}`")),
        false => Ok(filled),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn workflow(second: Value) -> Value {
        let include = json!([{"target": "a", "runner": "x"}, {"target": "b"}]);
        json!({"jobs": {
            "second": {
                "needs": "first",
                "strategy": {"matrix": {"include": include}},
                "steps": [second]
            },
            "first": {"steps": [{"uses": "checkout@v4"}, {"run": "make\n"}]}
        }})
    }

    #[test]
    fn jobs_come_after_those_they_need_with_the_row_of_the_machine() {
        let workflow =
            workflow(json!({"run": "pack ${{ matrix.target }} on ${{ matrix.runner }}"}));
        let run = |command: &str| Action::Run(command.to_owned());
        let job = |name: &str, actions| Job {
            name: name.to_owned(),
            actions,
        };
        let first = vec![Action::Host("checkout@v4".to_owned()), run("make")];
        let second = vec![run("pack a on x")];
        let expected = vec![job("first", first), job("second", second)];
        assert_eq!(jobs(&workflow, "a"), Ok(expected));
        assert_eq!(rows(&workflow).len(), 2);
    }

    #[test]
    fn what_the_dry_run_does_not_know_is_an_error() {
        for (step, target, why) in [
            (
                json!({"run": "echo ${{ github.actor }}"}),
                "a",
                "github.actor",
            ),
            (
                json!({"run": "echo ${{ matrix.runner }}"}),
                "b",
                "matrix.runner",
            ),
            (json!({"run": "make", "if": "always()"}), "a", "the key if"),
            (json!({"name": "nothing"}), "a", "neither runs"),
            (json!({"run": "make"}), "c", "no row for c"),
        ] {
            let said = jobs(&workflow(step), target).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
        let circle = json!({"jobs": {"a": {"needs": ["b"]}, "b": {"needs": ["a"]}}});
        assert_eq!(jobs(&circle, "a"), Err("jobs need each other".to_owned()));
    }
}
