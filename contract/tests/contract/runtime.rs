//! Where daemon and clients meet.

use std::ffi::OsStr;
use std::path::Path;

use striatum_contract::runtime::{
    Surroundings, data_directory, directory, doubtful, is_instance_name, is_own,
};

/// STR-STORE-20: the variable, else the session's, root's or a temporary one; the place on macOS is deferred.
#[test]
fn the_runtime_directory_is_the_set_one_the_sessions_roots_or_a_temporary_one() {
    let surroundings = |setting, xdg, uid| Surroundings {
        setting: Option::map(setting, OsStr::new),
        xdg: Option::map(xdg, OsStr::new),
        temporary: Path::new("/tmp"),
        uid,
    };
    for (setting, xdg, uid, found) in [
        (Some("/set"), Some("/run/user/7"), 7, "/set"),
        (Some("/set"), None, 0, "/set"),
        (None, Some("/run/user/7"), 7, "/run/user/7/striatum"),
        (Some(""), Some("/run/user/0"), 0, "/run/user/0/striatum"),
        (None, Some(""), 0, "/run/striatum"),
        (None, None, 7, "/tmp/striatum-7"),
    ] {
        assert_eq!(directory(surroundings(setting, xdg, uid), None), Path::new(found));
        assert_eq!(directory(surroundings(setting, xdg, uid), Some("x")), Path::new(found).join("x"));
    }
}

#[test]
fn the_name_of_an_instance_cannot_lead_elsewhere() {
    assert!(["a", "A-1_b", &"x".repeat(32)].into_iter().all(is_instance_name));
    let refused = ["", ".", "..", "a/b", "/a", "a.b", "é", " ", "a\n", &"x".repeat(33)];
    assert!(!refused.into_iter().any(is_instance_name));
}

#[test]
fn the_data_directory_is_roots_or_one_of_the_users() {
    for (xdg, home, uid, found) in [
        (Some("/data"), Some("/home/a"), 7, Some("/data/striatum")),
        (Some("data"), Some("/home/a"), 7, Some("/home/a/.local/share/striatum")),
        (None, Some("/home/a"), 7, Some("/home/a/.local/share/striatum")),
        (Some("/data"), Some("/root"), 0, Some("/var/lib/striatum")),
        (Some(""), None, 7, None),
        (None, Some("relative"), 7, None),
    ] {
        let directory = |instance| data_directory(xdg.map(OsStr::new), home.map(OsStr::new), uid, instance);
        assert_eq!(directory(None).as_deref(), found.map(Path::new));
        assert_eq!(directory(Some("x")), found.map(|found| Path::new(found).join("x")));
    }
}

#[test]
fn a_folder_below_one_for_everybody_is_believed_only_if_it_is_ours() {
    let doubted = |directory: &'static str| doubtful(Path::new(directory), Path::new("/tmp"));
    assert_eq!(doubted("/tmp/striatum-7"), Some(Path::new("/tmp/striatum-7")));
    assert_eq!(doubted("/tmp/striatum-7/name"), Some(Path::new("/tmp/striatum-7")));
    assert_eq!(doubted("/run/striatum"), None);
    assert_eq!(doubted("/tmp"), None);
    assert!(is_own(true, 7, 0o40_755, 7));
    assert!(!is_own(false, 7, 0o120_777, 7), "a link");
    assert!(!is_own(true, 0, 0o40_700, 7), "another user's");
    assert!(!is_own(true, 7, 0o40_720, 7) && !is_own(true, 7, 0o40_702, 7), "others can write");
}
