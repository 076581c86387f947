//! Which rows can be among the nearest, given a least and a greatest cosine for each.

/// What float arithmetic may add to a bound.
const ROUNDING: f32 = 1e-5;
/// Rows whose greatest bound stands for all of them where the best are looked for.
pub(super) const GROUP: usize = 64;

/// A query as [`Bounds`] needs it: its scale, and the length of what rounding took away.
#[derive(Debug, Clone, Copy)]
pub(super) struct Query {
    pub(super) scale: f32,
    pub(super) rest: f32,
}

/// The greatest cosine that each row can have; and for each group the greatest of these, and the greatest that one of
/// its rows surely has.
pub(super) struct Bounds {
    greatest: Vec<f32>,
    best: Vec<f32>,
    sure: Vec<f32>,
}

impl Bounds {
    /// No row yet, with room for so many.
    pub(super) fn with_capacity(rows: usize) -> Self {
        let groups = || Vec::with_capacity(rows.div_ceil(GROUP));
        Bounds { greatest: Vec::with_capacity(rows), best: groups(), sure: groups() }
    }

    /// Adds a group of at most [`GROUP`] rows from the dot products of their codes; `left_out` says which are no answers.
    ///
    /// With a row x = s·c + r and a query q = t·d + e of length 1, q·x = ts(d·c) + t·d·r + e·x, and |t·d| ≤ 1 + |e|: the
    /// error is at most (1 + |e|)·|r| + |e|.
    pub(super) fn push(&mut self, query: Query, dots: &[i32], scales: &[f32], rests: &[f32], left_out: &[usize]) {
        let start = self.greatest.len();
        let (factor, offset) = (1.0 + query.rest, query.rest + ROUNDING);
        let (mut least, mut greatest) = ([f32::NEG_INFINITY; GROUP], [f32::NEG_INFINITY; GROUP]);
        let out = least.iter_mut().zip(&mut greatest);
        for ((least, greatest), (dot, (scale, rest))) in out.zip(dots.iter().zip(scales.iter().zip(rests))) {
            let cosine = *dot as f32 * (query.scale * scale);
            let slack = factor * rest + offset;
            *least = cosine - slack;
            *greatest = cosine + slack;
        }
        for &row in left_out.iter().filter(|&&row| row >= start && row - start < dots.len()) {
            least[row - start] = f32::NEG_INFINITY;
            greatest[row - start] = f32::NEG_INFINITY;
        }
        self.greatest.extend_from_slice(&greatest[..dots.len()]);
        self.best.push(maximum(&greatest));
        self.sure.push(maximum(&least));
    }

    /// Rows that can be among the `k` nearest, in order. O(rows).
    pub(super) fn possible(&mut self, k: usize) -> Vec<usize> {
        let bar = self.bar(k);
        let mut found = Vec::new();
        for (group, rows) in self.greatest.chunks(GROUP).enumerate().filter(|&(group, _)| self.best[group] >= bar) {
            let reaches = |&(_, &greatest): &(usize, &f32)| greatest >= bar && greatest > f32::NEG_INFINITY;
            found.extend(rows.iter().enumerate().filter(reaches).map(|(at, _)| group * GROUP + at));
        }
        found
    }

    /// A cosine that at least `k` rows surely reach, as `k` groups have a row that does; none where there are fewer
    /// groups.
    fn bar(&mut self, k: usize) -> f32 {
        if k == 0 || self.sure.len() < k {
            return f32::NEG_INFINITY;
        }
        *self.sure.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1
    }
}

/// The greatest of a group, eight at a time.
fn maximum(values: &[f32; GROUP]) -> f32 {
    let mut lanes = [f32::NEG_INFINITY; 8];
    for chunk in values.chunks_exact(8) {
        for (lane, &value) in lanes.iter_mut().zip(chunk) {
            *lane = if value > *lane { value } else { *lane };
        }
    }
    lanes.into_iter().fold(f32::NEG_INFINITY, f32::max)
}
