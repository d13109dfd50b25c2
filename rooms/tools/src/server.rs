//! The tool that calculates. A model writes the expression, and numbers may become so large that they fill the memory
//! or take for ever, so each is evaluated by a child process with limits of time and memory.

use crate::request::{CalculateRequest, CalculationResult};
use sash_child::{ChildError, ChildLimits, ChildProcess, GRACE, read_input};
use sash_door::stop::StopSignal;
use sash_server::turns::Turns;
use sash_wire::Fault;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// The flag that makes the program evaluate one expression and exit. It is followed by the limits, of time in seconds
/// and of memory in bytes; the input is the expression.
const FLAG: &str = "--calculate-one-expression";
/// The longest expression, in bytes.
const MAX_EXPRESSION: usize = 2_000;
/// The longest result, in characters.
const MAX_RESULT: usize = 2_000;
/// The most bytes of a result: four for each character, and a note that it was cut off.
const MAX_OUTPUT: usize = 4 * MAX_RESULT + 1_000;

/// The limits of the tool that calculates.
#[derive(Clone, Debug)]
pub struct Calculation {
    /// Expressions at once.
    pub at_once: usize,
    /// How long an expression waits for a turn before it is refused.
    pub wait: Duration,
    /// Time limit for an expression.
    pub time: Duration,
    /// The most bytes of memory of the process that evaluates an expression.
    pub memory_bytes: usize,
    /// The program to run: this one, or in tests the tested one. `None` if its path is unknown.
    pub program: Option<PathBuf>,
}

impl Default for Calculation {
    fn default() -> Self {
        Self {
            at_once: 2,
            wait: Duration::from_secs(10),
            time: Duration::from_secs(2),
            memory_bytes: 512 * 1024 * 1024,
            program: std::env::current_exe().ok(),
        }
    }
}

/// Calculates, a few expressions at a time.
#[derive(Debug)]
pub struct Calculator {
    limits: Calculation,
    turns: Turns,
}

impl Calculator {
    /// A calculator; starts no process yet.
    #[must_use]
    pub fn new(limits: Calculation) -> Self {
        Self {
            turns: Turns::new(limits.at_once, limits.wait),
            limits,
        }
    }

    /// The result of an expression; what is wrong with one is a result too, because the model reads it. Dropping the
    /// future kills the process.
    ///
    /// # Errors
    /// [`Fault::TooManyAnswers`] if no turn is free in time, [`Fault::ServerStopping`].
    pub async fn result(
        &self,
        request: CalculateRequest,
        mut stop: StopSignal,
    ) -> Result<CalculationResult, Fault> {
        let expression = request.expression;
        if expression.len() > MAX_EXPRESSION {
            return Ok(error("the expression is too long"));
        }
        let _turn = self.turns.acquire().await?;
        let asked = tokio::time::timeout(self.limits.time + GRACE, self.compute(expression));
        let answered = tokio::select! {
            biased;
            () = stop.wait() => return Err(Fault::ServerStopping),
            asked = asked => asked,
        };
        Ok(match answered {
            Ok(Ok(result)) => CalculationResult { result },
            Ok(Err(failure @ ChildError::NotStarted(_))) => {
                tracing::warn!(%failure, "the calculator does not work");
                error("the calculator does not work")
            }
            // A process over its limits ends without a result.
            Ok(Err(ChildError::OutOfMemory | ChildError::Failed)) | Err(_) => {
                error("this takes too much time or memory")
            }
        })
    }

    async fn compute(&self, expression: String) -> Result<String, ChildError> {
        let arguments = [
            FLAG,
            &self.limits.time.as_secs().max(1).to_string(),
            &self.limits.memory_bytes.to_string(),
        ];
        let process = ChildProcess {
            program: self.limits.program.as_deref(),
            arguments: &arguments,
            memory_bytes: self.limits.memory_bytes,
            output_bytes: MAX_OUTPUT,
        };
        let output = process.run(expression.into_bytes()).await?;
        String::from_utf8(output).map_err(|_| ChildError::Failed)
    }
}

fn error(reason: &str) -> CalculationResult {
    CalculationResult {
        result: format!("Error: {reason}."),
    }
}

/// Evaluates an expression if this process was started for that.
#[must_use]
pub fn child() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next()? != FLAG {
        return None;
    }
    let mut number = || arguments.next()?.parse::<u64>().ok();
    let (Some(seconds), Some(memory_bytes)) = (number(), number()) else {
        return Some(ExitCode::FAILURE);
    };
    let limits = ChildLimits {
        seconds,
        memory_bytes,
    };
    limits.apply();
    Some(match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    })
}

fn serve() -> io::Result<()> {
    let expression = read_input()?;
    let result = evaluate(&String::from_utf8_lossy(&expression));
    let mut out = io::stdout().lock();
    out.write_all(result.as_bytes())?;
    out.flush()
}

fn evaluate(expression: &str) -> String {
    match fend_core::evaluate(expression, &mut fend_core::Context::new()) {
        Ok(result) if result.output_is_empty() => {
            "Error: there is nothing to calculate.".to_owned()
        }
        Ok(result) => shortened(result.get_main_result()),
        Err(reason) => shortened(&format!("Error: {reason}.")),
    }
}

fn shortened(result: &str) -> String {
    match result.char_indices().nth(MAX_RESULT) {
        Some((end, _)) => format!(
            "{}… (cut off; the result has {} characters)",
            result.get(..end).unwrap_or_default(),
            result.chars().count()
        ),
        None => result.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_has_a_result_and_a_wrong_one_says_why() {
        for (expression, result) in [
            ("1234 * 5678", "7006652"),
            ("0.1 + 0.2", "0.3"),
            ("2^100", "1267650600228229401496703205376"),
            ("5 miles to km", "8.04672 km"),
            ("17% of 2000", "340"),
            ("", "Error: there is nothing to calculate."),
        ] {
            assert_eq!(evaluate(expression), result, "{expression}");
        }
        for wrong in ["1 +", "1/0", "os.system('ls')", "5 kg to km"] {
            assert!(
                evaluate(wrong).starts_with("Error: "),
                "{}",
                evaluate(wrong)
            );
        }
        let long = evaluate("7^9999");
        assert!(long.ends_with("characters)") && long.chars().count() < 2_100);
    }
}
