//! Which rows can be among the nearest, given a least and a greatest cosine for each.

/// What float arithmetic may add to a bound.
const ROUNDING: f32 = 1e-5;
/// Rows whose greatest bound stands for all of them where the best are looked for.
const GROUP: usize = 64;

/// The least and the greatest cosine that each row can have.
pub(super) struct Bounds {
    least: Vec<f32>,
    greatest: Vec<f32>,
}

impl Bounds {
    /// Bounds from the dot products of codes; `scale` and `rest` are those of the query. O(rows).
    ///
    /// With a row x = s·c + r and a query q = t·d + e of length 1, q·x = ts(d·c) + t·d·r + e·x, and |t·d| ≤ 1 + |e|: the
    /// error is at most (1 + |e|)·|r| + |e|.
    pub(super) fn of(dots: &[i32], scale: f32, rest: f32, scales: &[f32], rests: &[f32]) -> Self {
        let mut bounds = Bounds { least: vec![0.0; dots.len()], greatest: vec![0.0; dots.len()] };
        let out = bounds.least.iter_mut().zip(&mut bounds.greatest);
        for ((least, greatest), (dot, (row_scale, row_rest))) in out.zip(dots.iter().zip(scales.iter().zip(rests))) {
            let cosine = *dot as f32 * (scale * row_scale);
            let slack = (1.0 + rest) * row_rest + (rest + ROUNDING);
            *least = cosine - slack;
            *greatest = cosine + slack;
        }
        bounds
    }

    /// Makes a row no answer.
    pub(super) fn leave_out(&mut self, row: usize) {
        self.least[row] = f32::NEG_INFINITY;
        self.greatest[row] = f32::NEG_INFINITY;
    }

    /// Rows that can be among the `k` nearest, in order. O(rows).
    pub(super) fn possible(&self, k: usize) -> Vec<usize> {
        let bar = self.bar(k);
        let reaches = |&row: &usize| self.greatest[row] >= bar && self.greatest[row] > f32::NEG_INFINITY;
        (0..self.greatest.len()).filter(reaches).collect()
    }

    /// A cosine that at least `k` rows surely reach: `k` groups have a row that does.
    fn bar(&self, k: usize) -> f32 {
        let size = if self.least.len() < k.saturating_mul(2 * GROUP) { 1 } else { GROUP };
        let mut best: Vec<f32> =
            self.least.chunks(size).map(|group| group.iter().copied().fold(f32::NEG_INFINITY, f32::max)).collect();
        if k == 0 || best.len() < k {
            return f32::NEG_INFINITY;
        }
        *best.select_nth_unstable_by(k - 1, |a, b| b.total_cmp(a)).1
    }
}
