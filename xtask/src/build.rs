//! The release page.

use crate::project::{Done, Project, run};
use crate::setup::{Need, ensure};

/// What building the page takes.
pub(crate) const NEEDS: &[Need] =
    &[Need::Crates, Need::WasmTarget, Need::WasmBindgen, Need::NpmPackages, Need::Trunk];

/// Builds the release page into `dist/`.
pub(crate) fn build(project: &Project) -> Done {
    ensure(project, NEEDS)?;
    trunk(project, &["build", "--release"])?;
    println!("\nThe page is in dist/: copy it to any path of any static host.");
    Ok(())
}

/// Runs Trunk. It works offline, so that it never fetches tools of versions of its own choice.
pub(crate) fn trunk(project: &Project, arguments: &[&str]) -> Done {
    run(
        project
            .command("trunk")
            .args(arguments)
            .args(["--offline", "true"])
            .env("TRUNK_SKIP_VERSION_CHECK", "true")
            // Trunk reads this variable as a boolean and stops at any other value, such as `1`.
            .env_remove("NO_COLOR"),
        "the reason is above",
    )
}
