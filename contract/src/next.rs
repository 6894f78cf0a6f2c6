//! Next steps as a person reads them: commands that stay with the installation that was meant.

/// What ends a command where more stands behind it: prose, or another command.
const ENDS: [&str; 2] = [", ", "; "];

/// The step for the installation of this name: each command of ours in it names it, unless it names one already.
pub fn of_instance(step: &str, name: Option<&str>) -> String {
    let Some(name) = name else { return step.to_owned() };
    let mut text = String::with_capacity(step.len());
    let mut rest = step;
    loop {
        let (command, end) = rest.split_at(end_of_command(rest));
        text.push_str(command);
        if is_ours(command) && !command.contains("--instance") {
            text.push_str(&format!(" --instance {name}"));
        }
        // Prose may stand behind a comma alone; a semicolon begins another command.
        let Some(after) = end.strip_prefix("; ") else {
            text.push_str(end);
            return text;
        };
        let after_then = after.strip_prefix("then ").unwrap_or(after);
        text.push_str(&end[..end.len() - after_then.len()]);
        rest = after_then;
    }
}

/// A text of many lines, of which those that begin with `next:` are steps.
pub fn of_instance_in(text: &str, name: Option<&str>) -> String {
    let line = |line: &str| {
        let step = line.trim_start().strip_prefix("next:").map(str::trim_start);
        let Some(step) = step else { return line.to_owned() };
        let (before, end) = (&line[..line.len() - step.len()], &step[step.trim_end().len()..]);
        format!("{before}{}{end}", of_instance(step.trim_end(), name))
    };
    text.split_inclusive('\n').map(line).collect()
}

fn is_ours(command: &str) -> bool {
    ["striatum", "striatumd"].iter().any(|program| {
        command.strip_prefix(program).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    })
}

/// Where the first command ends. What stands in quotes is a word of it.
fn end_of_command(text: &str) -> usize {
    let (mut quote, mut before) = (None, ' ');
    // Whether a backslash takes the next one as it is: everywhere but in plain single quotes.
    let mut takes = true;
    let mut letters = text.char_indices();
    while let Some((at, c)) = letters.next() {
        match quote {
            _ if c == '\\' && takes => drop(letters.next()),
            Some(open) if open == c => (quote, takes) = (None, true),
            Some(_) => {}
            None if c == '\'' || c == '"' => (quote, takes) = (Some(c), c == '"' || before == '$'),
            None if ENDS.iter().any(|end| text[at..].starts_with(end)) => return at,
            None => {}
        }
        before = c;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::{of_instance, of_instance_in};

    #[test]
    fn a_command_of_ours_names_the_installation() {
        for (step, expected) in [
            ("striatum local up", "striatum local up --instance a"),
            ("striatumd db apply", "striatumd db apply --instance a"),
            ("striatum db status --instance b", "striatum db status --instance b"),
            ("striatum-verify /x", "striatum-verify /x"),
            ("ls -l /x", "ls -l /x"),
            ("the same request", "the same request"),
            (
                "striatum token rotate c, by an administrator",
                "striatum token rotate c --instance a, by an administrator",
            ),
            (
                "striatum repo add 'a, b'; striatum repo list",
                "striatum repo add 'a, b' --instance a; striatum repo list --instance a",
            ),
            (r"striatum repo add 'it'\''s, b'", r"striatum repo add 'it'\''s, b' --instance a"),
            (r"striatum repo add $'a\'\n, b'; ls", r"striatum repo add $'a\'\n, b' --instance a; ls"),
            (r"striatum repo add 'a\'; ls", r"striatum repo add 'a\' --instance a; ls"),
            (
                "striatum db apply; then make it; then striatum daemon start",
                "striatum db apply --instance a; then make it; then striatum daemon start --instance a",
            ),
        ] {
            assert_eq!(of_instance(step, Some("a")), expected);
            assert_eq!(of_instance(step, None), step);
        }
    }

    #[test]
    fn of_a_text_the_steps_alone_are_changed() {
        let text =
            "striatum daemon start\nnext:  striatum daemon start\n  next:     striatum doctor\nnext:  ls\n";
        assert_eq!(
            of_instance_in(text, Some("a")),
            "striatum daemon start\nnext:  striatum daemon start --instance a\n  next:     striatum doctor \
             --instance a\nnext:  ls\n"
        );
        assert_eq!(of_instance_in(text, None), text);
    }
}
