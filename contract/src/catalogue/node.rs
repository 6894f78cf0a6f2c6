//! JSON whose keys stand in the order in which a person reads them.

use serde_json::Value;

/// The columns that a line may have.
const WIDTH: usize = 110;

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Node {
    Plain(Value),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl<T: Into<Value>> From<T> for Node {
    fn from(value: T) -> Self {
        match value.into() {
            Value::Array(entries) => Self::List(entries.into_iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.into_iter().map(|(key, value)| (key, value.into())).collect())
            }
            plain => Self::Plain(plain),
        }
    }
}

impl Node {
    /// Of members; those without a value are left out.
    pub(super) fn object<const N: usize>(members: [(&str, Option<Node>); N]) -> Self {
        let there = members.into_iter().filter_map(|(key, node)| Some((key.to_owned(), node?)));
        Self::Object(there.collect())
    }

    /// With another member; one of the same key gives way.
    pub(super) fn set(&mut self, key: &str, value: Node) {
        if let Self::Object(members) = self {
            match members.iter_mut().find(|(known, _)| known == key) {
                Some((_, old)) => *old = value,
                None => members.push((key.to_owned(), value)),
            }
        }
    }

    /// As a file: what fits on a line stands on one.
    pub(super) fn print(&self) -> String {
        let mut text = String::new();
        self.write(&mut text, 0, 0);
        text.push('\n');
        text
    }

    fn write(&self, text: &mut String, indent: usize, before: usize) {
        let line = self.line();
        // The whole document is never one line.
        let is_short = before + line.chars().count() < WIDTH && indent > 0;
        let (marks, entries): (_, Vec<(String, &Node)>) = match self {
            Self::List(entries) if !is_short && !entries.is_empty() => {
                (['[', ']'], entries.iter().map(|entry| (String::new(), entry)).collect())
            }
            Self::Object(members) if !is_short && !members.is_empty() => {
                (['{', '}'], members.iter().map(|(key, value)| (key_of(key), value)).collect())
            }
            _ => return text.push_str(&line),
        };
        text.push(marks[0]);
        for (at, (key, entry)) in entries.iter().enumerate() {
            text.push_str(if at > 0 { ",\n" } else { "\n" });
            text.push_str(&format!("{:1$}{key}", "", indent + 2));
            entry.write(text, indent + 2, indent + 2 + key.chars().count());
        }
        text.push_str(&format!("\n{:indent$}{}", "", marks[1]));
    }

    fn line(&self) -> String {
        match self {
            Self::Plain(value) => value.to_string(),
            Self::List(entries) => {
                format!("[{}]", entries.iter().map(Self::line).collect::<Vec<_>>().join(", "))
            }
            Self::Object(members) => {
                let members = members.iter().map(|(key, value)| format!("{}{}", key_of(key), value.line()));
                format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

fn key_of(key: &str) -> String {
    format!("{}: ", Value::from(key))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Node;

    #[test]
    fn what_fits_on_a_line_stands_on_one_and_keys_keep_their_order() {
        let mut node = Node::object([
            ("z", Some(Node::from(json!({"b": 1, "a": "\"\n"})))),
            ("none", None),
            ("a", Some(Node::List(vec![]))),
            ("list", Some(Node::from(json!(["x".repeat(60), "y".repeat(60)])))),
        ]);
        node.set("z2", true.into());
        node.set("a", 2.into());
        let text = node.print();
        let (x, y) = ("x".repeat(60), "y".repeat(60));
        assert_eq!(
            text,
            format!(
                "{{\n  \"z\": {{\"a\": \"\\\"\\n\", \"b\": 1}},\n  \"a\": 2,\n  \"list\": [\n    \"{x}\",\n    \
                 \"{y}\"\n  ],\n  \
                 \"z2\": true\n}}\n"
            )
        );
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read["z"]["a"], "\"\n");
    }
}
