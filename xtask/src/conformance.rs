//! The scenes on real PostgreSQL, RabbitMQ and SMTP, compared with the simulator.
//!
//! The work is done by `tests/conformance/main.js`; here is what it needs on the machine.

use std::fs;

use crate::project::{Done, Failure, Project, run};
use crate::setup::{Need, announce, ensure};

const FOLDER: &str = "tests/conformance";
/// Where Debian has the programs of PostgreSQL, none of which is on the search path.
const DEBIAN_POSTGRES: &str = "/usr/lib/postgresql";
/// Keeps a Debian package from starting its service: ours run on their own data and ports.
const NO_SERVICES: (&str, &str) = ("RUNLEVEL", "1");

/// Tries the boundaries of the named scenes, or of all; `--sample` takes some of them.
pub(crate) fn conformance(project: &Project, arguments: &[String]) -> Done {
    ensure(project, &[Need::Crates, Need::Node])?;
    npm_packages(project)?;
    servers(project)?;
    run(&mut project.cargo(&["build", "--quiet", "--locked", "--bin", "plug"]), "see above")?;
    let mut compare = project.command("node");
    compare.arg(format!("{FOLDER}/main.js")).arg("--plug").arg(plug(project)).args(arguments);
    run(&mut compare, "the differences are above")
}

/// The command line that runs the simulator.
fn plug(project: &Project) -> String {
    let folder = std::env::var("CARGO_TARGET_DIR")
        .unwrap_or_else(|_| project.root.join("target").to_string_lossy().into_owned());
    format!("{folder}/debug/plug{}", std::env::consts::EXE_SUFFIX)
}

fn npm_packages(project: &Project) -> Done {
    let folder = project.root.join(FOLDER);
    let lock = fs::read(folder.join("package-lock.json")).unwrap_or_default();
    let stamp = folder.join("node_modules/.installed-lock.json");
    if fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    announce("npm packages of tests/conformance", "clients of PostgreSQL, RabbitMQ and SMTP");
    let mut install = project.command("npm");
    install.args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder);
    run(&mut install, "check that the npm registry can be reached, then retry")?;
    fs::write(&stamp, lock).map_err(|error| Failure(format!("{}: {error}", stamp.display())))
}

/// PostgreSQL and RabbitMQ as programs; no service of theirs is used.
fn servers(project: &Project) -> Done {
    let has_postgres =
        project.which("initdb").is_some() || fs::exists(DEBIAN_POSTGRES).unwrap_or(false);
    if !has_postgres {
        package(project, "postgresql", "programs run on the real database")?;
    }
    if project.which("rabbitmq-server").is_none() {
        package(project, "rabbitmq-server", "programs run on the real broker")?;
    }
    Ok(())
}

/// Installs a Debian package without letting it start its service.
fn package(project: &Project, name: &str, why: &str) -> Done {
    let is_root = project.output("id", &["-u"]).is_some_and(|id| id == "0");
    if project.which("apt-get").is_none() || !is_root {
        return Err(Failure(format!(
            "{name} is missing; install it (as root: `apt-get install {name}`), then retry"
        )));
    }
    announce(name, why);
    let install = ["install", "--yes", "--no-install-recommends", name];
    let mut install_it = project.command("apt-get");
    install_it.args(install).env(NO_SERVICES.0, NO_SERVICES.1);
    install_it.env("DEBIAN_FRONTEND", "noninteractive");
    run(&mut install_it, "`apt-get update` may help")?;
    stop_service(project, name);
    Ok(())
}

/// A service that did start, or would at the next boot, is turned off; without systemd there is
/// none.
fn stop_service(project: &Project, name: &str) {
    if project.which("systemctl").is_some() {
        let mut disable = project.command("systemctl");
        // It fails where systemd is installed but does not run; then nothing was started.
        let _stopped = disable.args(["disable", "--now", name]).output();
    }
}
