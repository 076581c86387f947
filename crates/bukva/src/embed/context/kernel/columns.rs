//! The outputs of a step: which are right, and how often each counts.

/// Numbers of a row of pairs, one for each output of a block; a register of eight.
pub(super) const ROW: usize = 8;
/// Outputs of a block: with their gradients, two inputs and a factor they fill the sixteen registers of AVX2.
pub(super) const BLOCK: usize = 6;

/// Where column `column` lies in rows of blocks.
#[inline(always)]
pub(super) fn place(column: usize) -> usize {
    column / BLOCK * ROW + column % BLOCK
}

/// Signs and weights of outputs, in blocks of [`BLOCK`] that take [`ROW`] numbers each.
#[derive(Debug, Clone, Default)]
pub(in crate::embed::context) struct Columns {
    /// 1 where the output is right, -1 where it is noise, 0 where there is none.
    pub(super) signs: Vec<f32>,
    /// The sign times how often the output counts.
    pub(super) weights: Vec<f32>,
    /// Times that an output counts at most.
    pub(super) most: u32,
    len: usize,
}

impl Columns {
    /// No outputs, with room for `len`.
    pub(in crate::embed::context) fn with_capacity(len: usize) -> Self {
        let room = len.div_ceil(BLOCK) * ROW;
        Columns { signs: Vec::with_capacity(room), weights: Vec::with_capacity(room), most: 1, len: 0 }
    }

    /// No outputs any more.
    pub(in crate::embed::context) fn clear(&mut self) {
        self.signs.clear();
        self.weights.clear();
        (self.most, self.len) = (1, 0);
    }

    /// Adds an output that counts once.
    pub(in crate::embed::context) fn push(&mut self, is_right: bool) {
        if self.len.is_multiple_of(BLOCK) {
            self.signs.resize(self.signs.len() + ROW, 0.0);
            self.weights.resize(self.weights.len() + ROW, 0.0);
        }
        let sign = if is_right { 1.0 } else { -1.0 };
        let place = place(self.len);
        (self.signs[place], self.weights[place]) = (sign, sign);
        self.len += 1;
    }

    /// Lets an output count once more.
    pub(in crate::embed::context) fn repeat(&mut self, column: usize) {
        let place = place(column);
        self.weights[place] += self.signs[place];
        self.most = self.most.max(self.weights[place].abs() as u32);
    }

    /// How often an output counts.
    #[cfg(test)]
    pub(super) fn weight(&self, column: usize) -> f32 {
        self.weights[place(column)].abs()
    }

    /// 1 for a right output, -1 for noise.
    #[cfg(test)]
    pub(super) fn sign(&self, column: usize) -> f32 {
        self.signs[place(column)]
    }
}
