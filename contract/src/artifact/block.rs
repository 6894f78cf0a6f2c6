//! Where the front matter of a file begins and ends.

use super::problem::Problem;

/// Octets that a block may have, fences not counted.
pub const MOST_OCTETS: usize = 128 * 1024;

/// Octets of a file's beginning that have to be seen to tell its front matter.
pub const BEGINNING: usize = MOST_OCTETS + 1024;

/// What stands between the fences at the beginning of a file; `None` where it has none. Of a longer file
/// [`BEGINNING`] octets do.
///
/// The first line is `---`, and so is the last, or `...`: blanks may follow, nothing may stand before. A line ends with
/// LF, CRLF or CR. In YAML such a line ends a document wherever it stands, so that none of a value looks like one.
///
/// # Errors
/// The block is there, and cannot be read.
pub(super) fn find(file: &[u8]) -> Result<Option<&str>, Box<Problem>> {
    if file.starts_with(&[0xff, 0xfe]) || file.starts_with(&[0xfe, 0xff]) {
        let message = "the file is in UTF-16";
        return Err(Problem::of_file("encoding_not_utf8", message, "save it in UTF-8").into());
    }
    let file = file.strip_prefix("\u{feff}".as_bytes()).unwrap_or(file);
    let (first, start) = line(file, 0);
    if !is_fence(first, b"---") {
        return Ok(None);
    }
    let mut at = start;
    loop {
        if at - start > MOST_OCTETS {
            let message = format!("the front matter does not end within {MOST_OCTETS} octets");
            let hint = "close it with a line of three dashes; long text belongs into the body";
            return Err(Problem::of_file("front_matter_too_large", message, hint).into());
        }
        if at == file.len() {
            let message = "the front matter is not closed: no other line is `---`";
            return Err(Problem::of_file(
                "front_matter_unclosed",
                message,
                "a line of three dashes behind it",
            )
            .into());
        }
        let (text, next) = line(file, at);
        if is_fence(text, b"---") || is_fence(text, b"...") {
            let block = &file[start..at];
            let text = std::str::from_utf8(block).map_err(|error| {
                let message = "the front matter is not in UTF-8";
                let before = &block[..error.valid_up_to()];
                let mut problem = Problem::of_file("encoding_not_utf8", message, "save the file in UTF-8");
                problem.line = 2 + lines(before);
                Box::new(problem)
            })?;
            return Ok(Some(text));
        }
        at = next;
    }
}

/// The line that begins at a place, without its end; and where the next one begins.
fn line(text: &[u8], at: usize) -> (&[u8], usize) {
    let rest = &text[at..];
    match rest.iter().position(|octet| matches!(octet, b'\n' | b'\r')) {
        None => (rest, text.len()),
        Some(end) => {
            let is_pair = rest[end] == b'\r' && rest.get(end + 1) == Some(&b'\n');
            (&rest[..end], at + end + if is_pair { 2 } else { 1 })
        }
    }
}

fn is_fence(line: &[u8], fence: &[u8]) -> bool {
    line.strip_prefix(fence).is_some_and(|rest| rest.iter().all(|octet| matches!(octet, b' ' | b'\t')))
}

fn lines(text: &[u8]) -> usize {
    let mut at = 0;
    let mut count = 0;
    while at < text.len() {
        let (content, next) = line(text, at);
        count += usize::from(at + content.len() < next);
        at = next;
    }
    count
}
