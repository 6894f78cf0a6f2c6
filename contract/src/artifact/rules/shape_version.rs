//! The shape that the first version of collaboration ledgers does not have.

use serde_json::Value;

use super::version_fields::{V1, V1_1};
use super::{Hit, Repair, Rule};

pub(super) const RULE: Rule = Rule {
    code: "shape_needs_version",
    kind: "collaboration_ledger",
    says: "the shape adjudicated_constraint_extraction needs striatum.collaboration_ledger.v1.1",
    check,
};

fn check(values: &Value) -> Vec<Hit> {
    if values["schema_version"] != V1 || values["shape"] != "adjudicated_constraint_extraction" {
        return Vec::new();
    }
    let message = format!("the shape adjudicated_constraint_extraction needs schema_version {V1_1}");
    let newest = Repair::Set("/schema_version".to_owned(), Value::from(V1_1));
    vec![
        Hit::new("/schema_version", message, format!("schema_version: {V1_1}"))
            .allowing(&[V1_1])
            .mended_by(newest),
    ]
}
