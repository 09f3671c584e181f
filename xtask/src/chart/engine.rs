//! What engines are called in charts, and their colours.

/// The engine that a contestant or a builder belongs to, as it is written.
pub(super) fn maker(name: &str) -> &str {
    match name.split('-').next().unwrap_or(name) {
        "embree" => "Embree",
        first => first,
    }
}

/// The number of the engine's colour.
pub(super) fn color(maker: &str) -> usize {
    ["hitscan", "Embree", "tinybvh", "obvhs", "parry3d"]
        .iter()
        .position(|name| *name == maker)
        .unwrap_or(5)
}

/// What a builder's preset is called: each engine writes its own in its own way. The engine's name
/// where there is none.
pub(super) fn preset(builder: &str) -> String {
    let Some((maker, preset)) = builder.split_once('-') else { return maker(builder).to_owned() };
    let (first, rest) = preset.split_at(preset.chars().next().map_or(0, char::len_utf8));
    match (maker, preset) {
        ("hitscan", _) => first.to_uppercase() + rest,
        ("embree", "low" | "medium" | "high") | ("tinybvh", _) => preset.to_uppercase(),
        _ => preset.to_owned(),
    }
}

/// What a ray set is called.
pub(super) fn rays(set: &str) -> &str {
    match set {
        "prim" => "primary rays",
        "bnct" => "bounces in order",
        "bncs" => "bounces in no order",
        "ao" => "ambient occlusion",
        "rnd" => "random rays",
        _ => set,
    }
}
