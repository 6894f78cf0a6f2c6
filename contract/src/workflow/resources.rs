//! What the jobs of a workflow share outside of the repository.

use serde_json::{Value, json};

use super::model::Workflow;

/// The resources that each job declares, in one shape: `{workflow_job_id, resources: [{id, mode, namespace?,
/// description?}]}`, in the order of the file; jobs without any are left out (STR-SHARED-RES-03).
pub fn resources(workflow: &Workflow<'_>) -> Vec<Value> {
    let jobs = workflow.jobs.iter().filter(|job| job.list("shared_resources").next().is_some());
    let of = |resource: &Value| match resource.as_str() {
        Some(id) => json!({"id": id, "mode": "exclusive"}),
        None => {
            let mut resource = resource.clone();
            if let Some(members) = resource.as_object_mut() {
                members.entry("mode").or_insert_with(|| json!("exclusive"));
            }
            resource
        }
    };
    jobs.map(|job| {
        let resources: Vec<Value> = job.list("shared_resources").map(|(_, resource)| of(resource)).collect();
        json!({"workflow_job_id": job.id, "resources": resources})
    })
    .collect()
}
