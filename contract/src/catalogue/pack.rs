//! Packs: texts that belong together, one file each.

/// Roles, or the sides from which something is attacked.
#[derive(Debug)]
pub struct Pack {
    /// Its name.
    pub name: &'static str,
    /// What it is for.
    pub about: &'static str,
    /// Its members in their order: id and text.
    pub members: Vec<(&'static str, &'static str)>,
}

impl Pack {
    /// Of a file with a section a member.
    pub(super) fn of_sections(name: &'static str, text: &'static str) -> Self {
        Self { name, about: about(text), members: sections(text) }
    }

    /// Of a file with a point a member: `- **id**: text`.
    pub(super) fn of_points(name: &'static str, text: &'static str) -> Self {
        let points = text.split("\n- **").skip(1).filter_map(|point| point.split_once("**: "));
        Self { name, about: about(text), members: points.map(|(id, text)| (id, text.trim())).collect() }
    }
}

/// What stands between the title and the first member.
fn about(text: &str) -> &str {
    let rest = text.split_once('\n').map_or("", |(_, rest)| rest);
    let end = ["\n## ", "\n- **"].iter().filter_map(|mark| rest.find(mark)).min().unwrap_or(rest.len());
    rest[..end].trim()
}

/// The sections `## id` of a text, each with what stands below it.
pub(super) fn sections(text: &'static str) -> Vec<(&'static str, &'static str)> {
    let sections = text.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
    sections.map(|(id, below)| (id.trim(), below.trim())).collect()
}

/// The section of an id.
pub(super) fn section(sections: &[(&'static str, &'static str)], id: &str) -> Option<&'static str> {
    sections.iter().find(|(known, _)| *known == id).map(|(_, text)| *text)
}
