//! A value of front matter with its place, before anything says of which type it is.

/// A value and where it begins.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) is: Is,
    /// Line and column in the file, from 1.
    pub(super) place: (usize, usize),
}

#[derive(Debug, Clone)]
pub(super) enum Is {
    /// A text; plain where neither quotes nor a block mark say that it is one.
    Scalar {
        text: String,
        is_plain: bool,
    },
    List(Vec<Node>),
    /// In the order in which it was written, each key once.
    Map(Vec<Entry>),
}

#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) place: (usize, usize),
    pub(super) value: Node,
    /// Where else the same key stands; its value there is not kept.
    pub(super) repeated: Vec<(usize, usize)>,
}

impl Node {
    /// Where a pointer leads, or as near to it as there is something; for a key the key's own place.
    pub(super) fn place_of(&self, pointer: &str) -> (usize, usize) {
        let mut node = self;
        let mut place = self.place;
        for step in pointer.split('/').skip(1) {
            let step = super::problem::unescaped(step);
            match &node.is {
                Is::List(items) => match step.parse::<usize>().ok().and_then(|at| items.get(at)) {
                    Some(item) => (node, place) = (item, item.place),
                    None => return place,
                },
                Is::Map(entries) => match entries.iter().find(|entry| entry.key == step) {
                    Some(entry) => (node, place) = (&entry.value, entry.place),
                    None => return place,
                },
                Is::Scalar { .. } => return place,
            }
        }
        place
    }

    /// Every key that stands more than once in its mapping, by its pointer.
    pub(super) fn repeated(&self) -> Vec<(String, &Entry)> {
        let mut found = Vec::new();
        self.collect_repeated("", &mut found);
        found
    }

    fn collect_repeated<'n>(&'n self, pointer: &str, found: &mut Vec<(String, &'n Entry)>) {
        match &self.is {
            Is::Scalar { .. } => {}
            Is::List(items) => {
                for (at, item) in items.iter().enumerate() {
                    item.collect_repeated(&format!("{pointer}/{at}"), found);
                }
            }
            Is::Map(entries) => {
                for entry in entries {
                    let pointer = super::problem::step(pointer, &entry.key);
                    entry.value.collect_repeated(&pointer, found);
                    if !entry.repeated.is_empty() {
                        found.push((pointer, entry));
                    }
                }
            }
        }
    }
}
