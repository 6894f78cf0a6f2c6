//! Colours, where a person looks at a terminal.

/// Whether there are any.
#[derive(Clone, Copy)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    /// Colours where standard output is a terminal of somebody who wants them.
    pub(crate) fn of_output() -> Self {
        Self(crate::output::colours(&std::io::stdout()))
    }

    /// A name above others.
    pub(crate) fn head(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Whether all is well, as its word.
    pub(super) fn verdict(self, ok: bool) -> String {
        if ok { self.with("32", "ok") } else { self.fault("FAULT") }
    }

    /// Something that is not well.
    pub(crate) fn fault(self, text: &str) -> String {
        self.with("1;31", text)
    }

    fn with(self, how: &str, text: &str) -> String {
        if self.0 { format!("\u{1b}[{how}m{text}\u{1b}[0m") } else { text.to_owned() }
    }
}
