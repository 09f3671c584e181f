//! What is in an SVG file that the chores drew: one element a line.

/// An SVG file.
pub(crate) struct Picture {
    pub(crate) text: String,
}

/// A piece of text.
#[derive(Debug)]
pub(crate) struct Words {
    pub(crate) place: [f64; 2],
    pub(crate) anchor: String,
    pub(crate) words: String,
}

/// A dot or a line.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) class: String,
    pub(crate) title: String,
    pub(crate) places: Vec<[f64; 2]>,
}

impl Picture {
    pub(crate) fn texts(&self) -> Vec<Words> {
        let words = |line: &&str| Words {
            place: ["x", "y"].map(|name| number(attribute(line, name))),
            anchor: attribute(line, "text-anchor").to_owned(),
            words: between(line, ">", "</text>").to_owned(),
        };
        self.text.lines().filter(|line| line.starts_with("<text ")).map(|l| words(&l)).collect()
    }

    pub(crate) fn says(&self, words: &str) -> bool {
        self.texts().iter().any(|text| text.words == words)
    }

    /// The lines that stand for a contestant.
    pub(crate) fn lines(&self) -> Vec<Shape> {
        let place = |pair: &str| {
            let (x, y) = pair.split_once(',').expect("x,y");
            [number(x), number(y)]
        };
        let places = |line: &str| attribute(line, "points").split(' ').map(place).collect();
        self.shapes("<polyline ", &places)
    }

    pub(crate) fn dots(&self) -> Vec<Shape> {
        self.shapes("<circle ", &|line| vec![["cx", "cy"].map(|n| number(attribute(line, n)))])
    }

    /// Width and height.
    pub(crate) fn size(&self) -> [f64; 2] {
        ["width", "height"].map(|name| number(attribute(&self.text, name)))
    }

    /// Shapes with a title.
    fn shapes(&self, kind: &str, places: &dyn Fn(&str) -> Vec<[f64; 2]>) -> Vec<Shape> {
        let shape = |line: &str| Shape {
            class: attribute(line, "class").to_owned(),
            title: between(line, "<title>", "</title>").to_owned(),
            places: places(line),
        };
        let lines = self.text.lines().filter(|line| line.starts_with(kind));
        lines.filter(|line| line.contains("<title>")).map(shape).collect()
    }
}

fn attribute<'a>(line: &'a str, name: &str) -> &'a str {
    between(line, &format!(" {name}=\""), "\"")
}

fn between<'a>(line: &'a str, before: &str, after: &str) -> &'a str {
    let rest = line.split_once(before).unwrap_or_else(|| panic!("no {before} in {line}")).1;
    rest.split_once(after).unwrap_or_else(|| panic!("no {after} in {line}")).0
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}
