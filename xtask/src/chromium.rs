//! Finds the browser of the tests, and installs it where that is one command.

use std::path::{Path, PathBuf};

use crate::project::{Done, Failure, Project, run};
use crate::setup::announce;

/// Names under which Chromium and its kin are installed.
const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge"];

/// Places outside the search path.
const PLACES: &[&str] = &[
    "/usr/bin/chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/// The browser: the one that the variable `CHROMIUM` names, else the first that is installed.
pub(crate) fn find(project: &Project) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(named)).filter(|path| path.is_file());
    }
    let on_path = NAMES.iter().find_map(|name| project.which(name));
    on_path.or_else(|| PLACES.iter().map(PathBuf::from).find(|place| place.is_file()))
}

/// Makes sure that there is a browser.
pub(crate) fn ensure(project: &Project) -> Done {
    if find(project).is_some() {
        return Ok(());
    }
    if let Some(named) = std::env::var_os("CHROMIUM") {
        let named = PathBuf::from(named);
        return Err(Failure(format!("CHROMIUM names {}, which is no file", named.display())));
    }
    if !(is_debian() && project.output("id", &["-u"]).as_deref() == Some("0")) {
        return Err(missing());
    }
    announce("Chromium (apt-get)", "the tests open the page in a real browser");
    let advice = "check that the Debian mirror can be reached, or install Chromium by hand";
    run(project.command("apt-get").arg("update"), advice)?;
    let install = ["install", "--yes", "--no-install-recommends", "chromium"];
    run(project.command("apt-get").env("DEBIAN_FRONTEND", "noninteractive").args(install), advice)?;
    find(project).map(|_| ()).ok_or_else(missing)
}

fn missing() -> Failure {
    Failure(format!(
        "no Chromium was found; install Chromium or Chrome (on Debian: `apt-get install chromium` \
         as root), or put the full name of one in the variable CHROMIUM; looked on PATH for {}, \
         and at {}",
        NAMES.join(", "),
        PLACES.join(", ")
    ))
}

/// Debian itself: the package of that name elsewhere is a stub for another installer.
fn is_debian() -> bool {
    let release = std::fs::read_to_string(Path::new("/etc/os-release")).unwrap_or_default();
    release.lines().any(|line| line == "ID=debian")
}
