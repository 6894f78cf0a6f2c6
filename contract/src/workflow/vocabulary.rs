//! The words that a workflow is written in, where programs have to know them: one list each, for the checker and for
//! whoever makes workflows. The schema holds the same lists; a test compares them.

/// The version without phases.
pub const V1: &str = "striatum.workflow.v1";
/// The version with phases.
pub const V1_1: &str = "striatum.workflow.v1.1";

/// What a job can be. `barrier_assembly` is the daemon's own and no word of a file.
pub const JOB_TYPES: &[&str] = &[
    "generic",
    "draft",
    "build",
    "test",
    "review",
    "synthesis",
    "phase_synthesis",
    "verify",
    "coordinator",
    HUMAN_CHECKPOINT,
];
/// What a job is that says nothing.
pub const DEFAULT_JOB_TYPE: &str = "generic";
/// The job types that end by a verdict.
pub const VERDICT_TYPES: &[&str] = &[REVIEW, PHASE_SYNTHESIS];
/// A judgement.
pub const REVIEW: &str = "review";
/// What closes a phase.
pub const PHASE_SYNTHESIS: &str = "phase_synthesis";
/// The merging of several works.
pub const SYNTHESIS: &str = "synthesis";
/// Work on the product itself.
pub const BUILD: &str = "build";
/// A stop for a person.
pub const HUMAN_CHECKPOINT: &str = "human_checkpoint";

/// Where an artifact's body can be kept.
pub const PLACEMENTS: &[&str] = &["git_publication", "blob_exhaust", "git_pointer_manifest"];

/// What starts the agents of a lane.
pub const ADAPTERS: &[&str] = &[PROCESS, "manual"];
/// The adapter that starts a program.
pub const PROCESS: &str = "process";

/// The postures of reviews that have a name; others are `custom:NAME`.
pub const POSTURES: &[&str] = &[
    NEUTRAL,
    "devils_advocate",
    "security",
    "threat_model",
    "latency_performance",
    "ergonomics_dx",
    "accessibility",
    "compliance_license",
    "supply_chain",
];
/// The posture of a review that names none.
pub const NEUTRAL: &str = "neutral";
/// What the other postures begin with.
pub const CUSTOM_POSTURE: &str = "custom:";

/// What can be asked of an agent's surroundings.
pub const CONSTRAINTS: &[&str] = &["network", "transcripts", "repo_scope"];

/// How strictly a constraint can be kept, the weakest first.
pub const ENFORCEMENT: &[&str] = &["unsupported", "advisory", "advisory_strict", "enforced"];

/// How strictly an adapter keeps a constraint of that value (STR-ADAPTER-03).
pub fn enforcement(adapter: &str, constraint: &str, value: &str) -> &'static str {
    match (adapter, constraint, value) {
        (PROCESS, "transcripts", "off") => "enforced",
        (PROCESS, "network", "forbidden") | (PROCESS, "repo_scope", "local_only") => "advisory_strict",
        (PROCESS, ..) => "advisory",
        _ => "unsupported",
    }
}

/// The family of a model, as far as its name tells.
pub fn model_family(name: &str) -> Option<&'static str> {
    const FAMILIES: &[(&str, &[&str])] = &[
        ("claude", &["claude", "opus", "sonnet", "haiku", "anthropic"]),
        ("gpt", &["gpt", "codex", "openai", "chatgpt"]),
        ("gemini", &["gemini", "agy", "antigravity"]),
        ("grok", &["grok"]),
        ("llama", &["llama"]),
        ("mistral", &["mistral", "codestral", "devstral"]),
        ("qwen", &["qwen"]),
        ("deepseek", &["deepseek"]),
    ];
    let name = name.to_lowercase();
    let mut parts = name.split(|c: char| !c.is_ascii_alphabetic());
    parts.find_map(|part| FAMILIES.iter().find(|(_, marks)| marks.contains(&part)).map(|(family, _)| *family))
}

/// Shapes of the catalogue that no test runs to their end.
pub const EXPERIMENTAL_SHAPES: &[&str] = &[
    "adjudicated_constraint_extraction",
    "conversation",
    "custom",
    "fog_of_war_review",
    "human_checkpoint",
    "iterated_interrogating_panel",
    "synaptic_prune",
    "verification_gate",
];

/// Whether a name is that of what a terminal or a provider printed, which is never an artifact.
pub fn is_transcript_name(name: &str) -> bool {
    let name = name.to_lowercase();
    let parts: Vec<&str> = name.split(['.', '_', ':', '-']).collect();
    let is_output = |part: &str| matches!(part, "output" | "outputs");
    parts.iter().enumerate().any(|(at, part)| {
        let printed = ["raw", "provider", "terminal"].into_iter().find_map(|by| part.strip_prefix(by));
        matches!(*part, "stdout" | "stderr" | "transcript" | "transcripts")
            || printed.is_some_and(|rest| {
                is_output(rest) || rest.is_empty() && parts.get(at + 1).is_some_and(|next| is_output(next))
            })
    })
}
