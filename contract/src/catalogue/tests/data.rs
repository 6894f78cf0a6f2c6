//! The files of the catalogue.

use std::collections::BTreeSet;

use crate::catalogue::data::{FORMS, FRAMES, Structure};
use crate::catalogue::frames::chosen;
use crate::catalogue::{LANE_SETS, ROLE_PACKS, SHAPES, Tier, adversary_packs};
use crate::workflow::vocabulary::EXPERIMENTAL_SHAPES;

/// STR-GENERATE-04: the shapes that there have to be. STR-GENERATE-17: they come with the program.
#[test]
fn the_catalogue_has_its_shapes_and_each_says_what_it_is_for() {
    let names: BTreeSet<&str> = SHAPES.iter().map(|shape| shape.name).collect();
    for wanted in [
        "minimal",
        "review",
        "code_change",
        "multi_phase",
        "implementation_panel",
        "falsification_gate",
        "cross_examination",
        "adjudicated_constraint_extraction",
        "divergent_ideation",
        "fog_of_war_review",
        "synaptic_prune",
        "multi_review_synthesis",
        "conversation",
        "verification_gate",
        "evidence_backed",
        "human_checkpoint",
        "custom",
    ] {
        assert!(names.contains(wanted), "{wanted}");
    }
    assert_eq!(names.len(), SHAPES.len());
    assert!(SHAPES.iter().all(|shape| shape.about.ends_with('.') && !shape.title.ends_with('.')));
    let sets: Vec<&str> = LANE_SETS.iter().map(|set| set.name).collect();
    assert_eq!(sets, ["local", "single_agent", "author_reviewer", "multi_review", "custom"]);
}

/// The checker and the catalogue call the same shapes experimental; one that the catalogue has not is so by itself.
#[test]
fn the_checker_knows_the_tiers() {
    let own: BTreeSet<&str> =
        SHAPES.iter().filter(|shape| shape.tier == Tier::Experimental).map(|shape| shape.name).collect();
    let known: BTreeSet<&str> =
        EXPERIMENTAL_SHAPES.iter().copied().filter(|name| *name != "iterated_interrogating_panel").collect();
    assert_eq!(own, known);
}

#[test]
fn packs_have_their_members() {
    let ids = |pack: &crate::catalogue::Pack| pack.members.iter().map(|(id, _)| *id).collect::<Vec<_>>();
    let role = |name: &str| ids(ROLE_PACKS.iter().find(|pack| pack.name == name).expect("a pack"));
    assert_eq!(
        role("implementation_panel_roles"),
        [
            "problem_framer",
            "proposer_a",
            "proposer_b",
            "proposer_c",
            "scorekeeper",
            "tradeoff_ledger",
            "arbitrator",
            "dissent_reviewer",
            "principal_decider"
        ]
    );
    assert_eq!(
        role("incident_response"),
        ["reproducer", "root_cause_analyst", "fix_planner", "verifier", "retrospective_author"]
    );
    assert_eq!(
        role("release_readiness"),
        ["release_manager", "docs_reviewer", "migration_reviewer", "smoke_verifier", "rollback_reviewer"]
    );
    let sides: Vec<Vec<&str>> = adversary_packs().iter().map(ids).collect();
    assert_eq!(
        sides,
        [
            ["maintainability", "migration_risk", "reversibility"],
            ["operability", "observability", "recovery"]
        ]
    );
    for pack in ROLE_PACKS.iter().chain(adversary_packs()) {
        assert!(!pack.about.is_empty(), "{} says what it is for", pack.name);
    }
    for (role, text) in ROLE_PACKS.iter().flat_map(|pack| &pack.members) {
        for part in ["- You read:", "- You hand in:", "- You must not:"] {
            assert!(text.contains(part), "{role} does not say: {part}");
        }
    }
}

/// Each kind that a shape leaves has its form.
#[test]
fn every_kind_has_its_form() {
    for shape in SHAPES.iter() {
        for leaf in shape.jobs.iter().flat_map(|job| &job.leaves) {
            assert!(FORMS.iter().any(|(kind, _)| *kind == leaf.kind), "{}: {}", shape.name, leaf.kind);
        }
    }
}

/// STR-GENERATE-10: no axis twice before each was there once, a third of the frames forces something, and what somebody
/// wants comes first; the same is chosen each time.
#[test]
fn frames_differ_in_what_they_distort() {
    let axes: BTreeSet<&str> = FRAMES.iter().map(|frame| frame.axis.as_str()).collect();
    let of = |text: &String| FRAMES.iter().find(|frame| frame.text == *text).expect("a frame");
    for count in 1..=12 {
        for (problem_shape, axis) in
            [("open", "all"), ("stuck", "goal"), ("people", "people"), ("costly", "scale")]
        {
            let frames = chosen(count, problem_shape, axis);
            assert_eq!(frames.len(), count);
            let used: Vec<&str> = frames.iter().map(|text| of(text).axis.as_str()).collect();
            let distinct: BTreeSet<&str> = used.iter().copied().collect();
            assert_eq!(distinct.len(), count.min(axes.len()), "{count} {problem_shape} {axis}: {used:?}");
            let forcing = frames.iter().filter(|text| {
                matches!(of(text).structure, Structure::Constraint | Structure::Transformation)
            });
            assert!(forcing.count() >= count.div_ceil(3), "{frames:?}");
            assert!(axis == "all" || used.contains(&axis), "{axis} is not in {used:?}");
            assert_eq!(frames, chosen(count, problem_shape, axis));
        }
    }
}
