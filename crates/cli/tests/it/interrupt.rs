//! Ctrl-C: work ends, the user is told, and nothing half-written stays behind.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::tool::{Tool, data, stderr};

/// What no machine takes that is not broken.
const DEADLINE: Duration = Duration::from_secs(300);

const RAY: &str = "0.25,0.5,5,0,0,-1\n";

/// A tool at work, and what to do with it.
struct Job {
    child: Child,
    stdin: ChildStdin,
}

impl Job {
    fn begin(tool: &Tool, arguments: &[&str]) -> Self {
        let mut command = with_default_signals(tool.command(arguments));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the tool runs");
        let stdin = child.stdin.take().expect("its stdin");
        Self { child, stdin }
    }

    /// A cast of rays that never end, of which some are cast.
    fn cast(tool: &Tool, out: &str) -> Self {
        let mesh = data("cube.obj");
        let mut job = Self::begin(tool, &["cast", &mesh, "--rays", "-", "--out", out]);
        job.stdin.write_all(b"ox,oy,oz,dx,dy,dz\n").expect("it reads");
        let start = Instant::now();
        while !tool.files().iter().any(|name| name.ends_with(".part")) {
            assert!(start.elapsed() < DEADLINE, "no file was begun");
            job.stdin.write_all(RAY.repeat(1000).as_bytes()).expect("it reads");
        }
        job
    }

    fn signal(&self, name: &str) {
        let kill = format!("kill -{name} {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        assert!(status.expect("a shell").success(), "{kill}");
    }

    /// Waits for the end, with stdin open, and gives what was told on stderr.
    fn end(self) -> (ExitStatus, String) {
        let output = self.child.wait_with_output().expect("it ends");
        drop(self.stdin);
        (output.status, stderr(&output))
    }
}

/// The same command, but with no signal ignored, as Ctrl-C is in what a script runs in the
/// background: the tool would go on ignoring it. Not every system's `env` can do this.
fn with_default_signals(command: Command) -> Command {
    let tried = Command::new("env").args(["--default-signal", "true"]).output();
    if !tried.is_ok_and(|output| output.status.success()) {
        return command;
    }
    let mut env = Command::new("env");
    env.arg("--default-signal").arg(command.get_program()).args(command.get_args());
    env.current_dir(command.get_current_dir().expect("a folder")).env_remove("HITSCAN_SIMD");
    env
}

#[test]
fn an_interrupted_cast_leaves_what_was_there() {
    for (signal, out) in [("INT", "hits.csv"), ("INT", "hits.npy"), ("TERM", "hits.csv")] {
        let tool = Tool::new();
        tool.write(out, "what was there");
        // With stdin open and empty: most of the time it waits for rays.
        let job = Job::cast(&tool, out);
        job.signal(signal);
        let (status, told) = job.end();
        assert_eq!((status.code(), &told[..]), (Some(130), "error: interrupted\n"), "{signal}");
        assert_eq!(tool.files(), [out]);
        assert_eq!(std::fs::read(tool.path(out)).expect("the file"), b"what was there");
    }
}

#[test]
fn an_interrupted_batch_ends_amid_its_rays() {
    let tool = Tool::new();
    let mut job = Job::cast(&tool, "hits.csv");
    job.signal("INT");
    // It is never short of rays. What it does not read any more is an error of the pipe.
    let rays = RAY.repeat(1000);
    while job.stdin.write_all(rays.as_bytes()).is_ok() {}
    let (status, told) = job.end();
    assert_eq!((status.code(), &told[..]), (Some(130), "error: interrupted\n"));
    assert_eq!(tool.files(), [""; 0]);
}

#[test]
fn an_interrupted_build_bakes_nothing() {
    let tool = Tool::new();
    // Comes through a pipe, so that it is known when all of it was read.
    let status = Command::new("mkfifo").arg(tool.path("mesh.obj")).status();
    assert!(status.expect("mkfifo").success());
    let arguments = ["bake", "mesh.obj", "--quality", "high", "--threads", "1", "--out", "a.hscan"];
    let job = Job::begin(&tool, &arguments);
    let mut pipe = std::fs::File::create(tool.path("mesh.obj")).expect("the pipe's end");
    pipe.write_all(many_triangles().as_bytes()).expect("it reads");
    drop(pipe);
    job.signal("INT");
    let (status, told) = job.end();
    assert_eq!((status.code(), &told[..]), (Some(130), "error: interrupted\n"));
    assert_eq!(tool.files(), ["mesh.obj"]);
}

/// Triangles that keep a build busy for longer than a signal takes.
fn many_triangles() -> String {
    const SIDE: usize = 500;
    let mut text = String::new();
    for i in 0..SIDE * SIDE {
        let (x, y) = (i % SIDE, i / SIDE);
        text.push_str(&format!("v {x} {y} {}\n", (x * 7919 + y * 104_729) % 97));
    }
    for i in 0..(SIDE - 1) * SIDE {
        text.push_str(&format!("f {} {} {}\n", i + 1, i + 2, i + 1 + SIDE));
    }
    text
}

#[test]
fn what_waits_for_its_mesh_is_ended_too() {
    let tool = Tool::new();
    let status = Command::new("mkfifo").arg(tool.path("mesh.obj")).status();
    assert!(status.expect("mkfifo").success());
    let job = Job::begin(&tool, &["inspect", "mesh.obj"]);
    // To be opened at one end means to be opened at the other.
    let pipe = std::fs::File::create(tool.path("mesh.obj")).expect("the pipe's end");
    job.signal("INT");
    let (status, told) = job.end();
    drop(pipe);
    assert_eq!((status.code(), &told[..]), (Some(130), "error: interrupted\n"));
}
