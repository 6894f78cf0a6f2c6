//! A text as one word of a shell's line, so that a next step can be pasted whatever a name holds.
//!
//! The same as `striatumd.shell_word` in SQL; a test of the daemon holds them together.

use std::path::Path;

/// Plain texts as they are, others in single quotes, those with control characters as `$'...'`.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./:=,@%+-".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    if !text.contains(|c: char| c.is_ascii_control()) {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let escaped = text.chars().map(|c| match c {
        '\\' | '\'' => format!("\\{c}"),
        '\n' => r"\n".to_owned(),
        '\t' => r"\t".to_owned(),
        c if c.is_ascii_control() => format!(r"\x{:02x}", u32::from(c)),
        c => c.to_string(),
    });
    format!("$'{}'", escaped.collect::<String>())
}

/// The same of a path; what is not UTF-8 in it no text can say.
pub fn shell_path(path: &Path) -> String {
    shell_word(&path.to_string_lossy())
}
