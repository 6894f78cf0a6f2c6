//! The reference vectors of hash format 3, made by an independent implementation (contract/vectors/make_vectors.py).

use serde_json::Value;

/// A file of vectors: the published order of the fields, and the rows.
pub struct Vectors {
    /// In the order in which they are hashed.
    pub fields: Vec<String>,
    /// Each with what has to come out.
    pub rows: Vec<Vector>,
}

/// One row.
pub struct Vector {
    /// The values in the order of the fields, integers as their decimal text.
    pub values: Vec<Option<String>>,
    /// The octets that are hashed, in hexadecimal.
    pub canonical_hex: String,
    /// The hash.
    pub row_hash: String,
}

/// Audit rows.
pub fn audit() -> Vectors {
    read(include_str!("../../contract/vectors/audit-v3.json"))
}

/// Events.
pub fn event() -> Vectors {
    read(include_str!("../../contract/vectors/event-v3.json"))
}

fn read(file: &str) -> Vectors {
    let file: Value = serde_json::from_str(file).expect("the vector file is JSON");
    let list = |value: &Value| value.as_array().expect("a list").clone();
    let fields: Vec<String> =
        list(&file["fields_in_order"]).iter().map(|field| text(field).expect("a name")).collect();
    let row = |vector: &Value| Vector {
        values: fields.iter().map(|field| text(&vector["row"][field])).collect(),
        canonical_hex: text(&vector["canonical_hex"]).expect("octets"),
        row_hash: text(&vector["row_hash"]).expect("a hash"),
    };
    let rows = list(&file["rows"]).iter().map(row).collect();
    Vectors { fields, rows }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        number => Some(number.to_string()),
    }
}
