//! SVG text: lines, points and words with classes, whose colours suit light and dark pages.

use std::fmt::Write;

/// A place in the picture, in pixels from its upper left corner.
pub(super) type Place = [f64; 2];

/// Which end of a text is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture that is being drawn.
#[derive(Debug, Default)]
pub(super) struct Svg {
    body: String,
}

// The card is opaque, so that words can be read wherever the picture is shown, also by what knows
// no dark pages.
const STYLE: &str = "\
text{font:12px system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;fill:#1f2328}
.title{font-size:17px;font-weight:600}.head{font-size:13px;font-weight:600}
.quiet{fill:#59636e}.card{fill:#fff;stroke:#d0d7de}.grid{stroke:#e4e8ec}.axis{stroke:#8c959f}
.line{fill:none;stroke-width:2.25;stroke-linejoin:round}.single{stroke-width:1.75;stroke-dasharray:5 4}
.path{fill:none;stroke-width:1.25;opacity:.5}.dot{stroke:#fff;stroke-width:1}
.s0{stroke:#0b6bcb}.s1{stroke:#c2570c}.s2{stroke:#237a3b}.s3{stroke:#7b3fb3}.s4{stroke:#8a6a00}.s5{stroke:#68727d}
.f0{fill:#0b6bcb}.f1{fill:#c2570c}.f2{fill:#237a3b}.f3{fill:#7b3fb3}.f4{fill:#8a6a00}.f5{fill:#68727d}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.quiet{fill:#9198a1}.card{fill:#0d1117;stroke:#30363d}.grid{stroke:#21262d}.axis{stroke:#6e7681}
.dot{stroke:#0d1117}
.s0{stroke:#58a6ff}.s1{stroke:#f0883e}.s2{stroke:#56d364}.s3{stroke:#bc8cff}.s4{stroke:#e3b341}.s5{stroke:#9198a1}
.f0{fill:#58a6ff}.f1{fill:#f0883e}.f2{fill:#56d364}.f3{fill:#bc8cff}.f4{fill:#e3b341}.f5{fill:#9198a1}
}
";

impl Svg {
    pub(super) fn text(&mut self, class: &str, anchor: Anchor, [x, y]: Place, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = escaped(text);
        self.add(&format!(
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    /// Straight lines from place to place.
    pub(super) fn line(&mut self, class: &str, places: &[Place], title: &str) {
        let places: Vec<String> = places.iter().map(|[x, y]| format!("{x:.1},{y:.1}")).collect();
        let (places, title) = (places.join(" "), titled(title));
        self.add(&format!(r#"<polyline class="{class}" points="{places}">{title}</polyline>"#));
    }

    pub(super) fn dot(&mut self, class: &str, [x, y]: Place, radius: f64, title: &str) {
        let title = titled(title);
        self.add(&format!(
            r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}">{title}</circle>"#
        ));
    }

    /// The whole file.
    pub(super) fn finish(&self, [width, height]: [f64; 2], title: &str) -> String {
        let (title, body) = (escaped(title), &self.body);
        let size = format!(r#"width="{width:.0}" height="{height:.0}""#);
        let inner = format!(r#"width="{:.0}" height="{:.0}""#, width - 1.0, height - 1.0);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width:.0} {height:.0}" role="img">
<title>{title}</title>
<style>
{STYLE}</style>
<rect class="card" x="0.5" y="0.5" {inner} rx="8"/>
{body}</svg>
"#
        )
    }

    fn add(&mut self, element: &str) {
        // Writing to memory does not fail.
        let _ = writeln!(self.body, "{element}");
    }
}

/// How wide a text is at the most in the usual fonts.
pub(super) fn width_of(text: &str) -> f64 {
    7.0 * text.chars().count() as f64
}

fn titled(title: &str) -> String {
    if title.is_empty() { String::new() } else { format!("<title>{}</title>", escaped(title)) }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
