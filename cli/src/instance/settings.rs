//! The texts of an installation's configuration files.

use std::path::Path;

use super::text;

/// The one database of an installation, and the login that goes with it.
pub(super) const DATABASE: &str = "striatum";
/// Part of the name of PostgreSQL's socket.
pub(super) const PORT: &str = "5432";

/// What is added to the file that `initdb` makes.
pub(super) const INCLUDE: &str = "\n# What `striatum local up` decides; it writes that file anew each time.\n\
                                  include 'striatum.conf'\n";

/// What decides how the cluster can be reached, and that nothing acknowledged is lost.
pub(super) fn postgres(sockets: &Path) -> String {
    // A list in a text: a comma or a quote of the path must end neither.
    let sockets =
        format!("\"{}\"", text(sockets).replace('"', "\"\"")).replace('\\', "\\\\").replace('\'', "''");
    format!(
        "# Written by `striatum local up`. What stands behind the include in postgresql.conf wins over it.\n\
         listen_addresses = ''\n\
         port = {PORT}\n\
         unix_socket_directories = '{sockets}'\n\
         unix_socket_permissions = 0700\n\
         password_encryption = 'scram-sha-256'\n\
         fsync = on\n\
         full_page_writes = on\n\
         timezone = 'UTC'\n\
         log_timezone = 'UTC'\n\
         log_line_prefix = '%m [%p] %q%u '\n"
    )
}

/// Who may connect: the user of the daemon on the system's word, the daemon's login with its password, nobody else.
pub(super) fn hba() -> String {
    format!(
        "# Written by `striatum local up`: nothing but the socket, and nobody but the daemon's user.\n\
         local all         postgres                 peer map=striatum\n\
         local {DATABASE}    striatum_bootstrap       peer map=striatum\n\
         local {DATABASE}    striatumd_rw_{DATABASE}    scram-sha-256\n\
         local all         all                      reject\n"
    )
}

/// Who is who: the user of the daemon is superuser and `striatum_bootstrap`.
pub(super) fn ident(user: &str) -> String {
    let user = format!("\"{}\"", user.replace('"', "\"\""));
    format!(
        "# Written by `striatum local up`.\n\
         striatum {user} postgres\n\
         striatum {user} striatum_bootstrap\n"
    )
}

/// The daemon's own.
pub(super) fn daemon(sockets: &Path) -> String {
    format!(
        "# Made by `striatum local up`, and not written again: settings of your own stay.\n\
         [database]\n\
         url = \"{}\"\n",
        url(sockets)
    )
}

/// How the database is reached; whoever connects is named by what it connects for.
pub(super) fn url(sockets: &Path) -> String {
    let folder: String = text(sockets).bytes().map(encoded).collect();
    format!("postgres:///{DATABASE}?user=postgres&port={PORT}&host={folder}")
}

/// An octet as a URL has it in a value.
fn encoded(octet: u8) -> String {
    match octet {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(octet).to_string(),
        octet => format!("%{octet:02X}"),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{ident, postgres, url};

    #[test]
    fn a_path_with_signs_of_the_files_stays_one_path() {
        let path = Path::new("/a b,\"c\"'d'\\e/ü");
        assert!(postgres(path).contains("unix_socket_directories = '\"/a b,\"\"c\"\"''d''\\\\e/ü\"'\n"));
        assert!(url(path).ends_with("&host=%2Fa%20b%2C%22c%22%27d%27%5Ce%2F%C3%BC"));
        assert!(ident("a\"b").contains("striatum \"a\"\"b\" postgres\n"));
    }
}
