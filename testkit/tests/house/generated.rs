//! Generated files are what a fresh database says.

use striatum_testkit::generated;

#[tokio::test]
async fn the_generated_files_are_as_a_fresh_database_says() {
    let all = generated::all().await.expect("a fresh database");
    assert!(!all.is_empty());
    for generated in all {
        let kept = std::fs::read_to_string(generated.file()).unwrap_or_default();
        assert!(kept == generated.text, "{} differs: make contract docs", generated.path);
    }
}
