//! The flags of a regular expression, as Oniguruma has them in Ruby mode: `i`, `m` (the dot is any character) and `x`.

/// The flags that are on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Flags {
    pub(super) ignore_case: bool,
    /// White space and comments stand for nothing.
    pub(super) extended: bool,
}

/// What a group says of flags: on, off, or nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Change {
    ignore_case: Option<bool>,
    any: Option<bool>,
    extended: Option<bool>,
}

impl Flags {
    /// The change that `(?im-x:` or `(?im-x)` at the start of `rest` makes, and the length of that. None for the other
    /// groups.
    pub(super) fn read(rest: &str) -> Option<(Change, usize)> {
        let (mut change, mut on) = (Change::default(), true);
        for (at, flag) in rest.strip_prefix("(?")?.char_indices() {
            match flag {
                '-' if on => on = false,
                'i' => change.ignore_case = Some(on),
                'm' => change.any = Some(on),
                'x' => change.extended = Some(on),
                ':' | ')' if at > 0 => return Some((change, at + 3)),
                _ => return None,
            }
        }
        None
    }
}

impl Change {
    /// The flags after the change.
    pub(super) fn applied(self, flags: Flags) -> Flags {
        Flags {
            ignore_case: self.ignore_case.unwrap_or(flags.ignore_case),
            extended: self.extended.unwrap_or(flags.extended),
        }
    }

    /// Opens one group for each flag of ours that changes, or a plain one; returns how many. Oniguruma's `m` is our `s`.
    pub(super) fn open(self, out: &mut String) -> usize {
        let name = |on: bool, flag: char| if on { format!("(?{flag}:") } else { format!("(?-{flag}:") };
        let flags = [self.ignore_case.map(|on| name(on, 'i')), self.any.map(|on| name(on, 's'))];
        let mut groups: Vec<String> = flags.into_iter().flatten().collect();
        if groups.is_empty() {
            groups.push("(?:".to_owned());
        }
        out.push_str(&groups.concat());
        groups.len()
    }
}
