//! All pairs of a step's inputs and outputs: scores, gradients, and new vectors.

use super::blocks::{Rows, mean, scores, spread, update};
use super::columns::{BLOCK, Columns, ROW};
use super::gradients::gradients;
use super::loss::Loss;
use crate::embed::context::lanes::{Lanes, Machine};

/// Inputs and outputs that are trained against each other.
///
/// Pointers, not slices: rows may be the same, and other threads may work on the same rows.
#[derive(Clone, Copy)]
pub(in crate::embed::context) struct Step<'a> {
    /// Rows of inputs.
    pub(in crate::embed::context) inputs: &'a [*mut f32],
    /// Whether a row may be there twice among the inputs: then outputs learn from copies, for its second turn finds it
    /// changed.
    pub(in crate::embed::context) may_repeat: bool,
    /// Rows of outputs, all different.
    pub(in crate::embed::context) outputs: &'a [*mut f32],
    /// Rows that the next steps need: they are brought to the cache meanwhile.
    pub(in crate::embed::context) next: &'a [*mut f32],
    /// What each output is.
    pub(in crate::embed::context) columns: &'a Columns,
    /// The learning rate.
    pub(in crate::embed::context) rate: f32,
    /// Numbers of a vector; rows are padded with zeros to a multiple of 16.
    pub(in crate::embed::context) dim: usize,
}

/// Memory for scores and old vectors, used again by each step.
#[derive(Debug, Clone, Default)]
pub(in crate::embed::context) struct Scratch {
    rows: Vec<f32>,
    old: Vec<f32>,
    old_inputs: Vec<*mut f32>,
    means: Vec<f32>,
}

impl Scratch {
    /// Copies inputs that will have changed when outputs learn from them: `all`, or the second and later turns of a row
    /// that is there more than once.
    ///
    /// # Safety
    /// Each is readable for `length` numbers.
    unsafe fn keep(&mut self, inputs: &[*mut f32], all: bool, length: usize) {
        self.old.resize(inputs.len() * length, 0.0);
        self.old_inputs.clear();
        for (at, old) in self.old.chunks_exact_mut(length).enumerate() {
            let input = inputs[at];
            if all || inputs[..at].contains(&input) {
                // SAFETY: the caller says so, and the copy is as long.
                unsafe { input.copy_to_nonoverlapping(old.as_mut_ptr(), length) };
                self.old_inputs.push(old.as_mut_ptr());
            } else {
                self.old_inputs.push(input);
            }
        }
    }
}

/// Rows of the next step that are asked for with the scores; the others with the updates, for a processor waits when it
/// has asked for too many.
const EARLY: usize = 3;

/// Does a step. O(inputs · outputs · dim).
///
/// # Safety
/// The processor has the instructions of `M`. Each row is readable and writable for `step.dim` numbers, rounded up to a
/// multiple of 16. There are as many columns as outputs. Other threads may write rows at the same time only by this
/// function: then numbers get lost or are added to older ones, and no other harm is done.
#[inline(always)]
pub(super) unsafe fn step<M: Machine>(step: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    let width = step.columns.signs.len();
    let length = step.dim.next_multiple_of(M::Wide::COUNT);
    scratch.rows.resize(step.inputs.len() * width, 0.0);
    let start = scratch.rows.as_mut_ptr();
    let (now, later) = step.next.split_at(step.next.len().min(EARLY));
    // SAFETY: the caller's promises; block `b` of each row of `rows` starts at `b * ROW`.
    unsafe {
        for (block, outputs) in step.outputs.chunks(BLOCK).enumerate() {
            let rows = Rows { start: start.add(block * ROW), width };
            let next = if block == 0 { now } else { &[] };
            scores::<M::Wide>(step.inputs, outputs, next, rows, length);
        }
        gradients::<M::Eight>(step, &mut scratch.rows, loss);
        let start = scratch.rows.as_mut_ptr();
        if step.outputs.len() <= BLOCK && !step.may_repeat {
            return update::<M::Wide>(step.inputs, step.inputs, step.outputs, later, Rows { start, width }, length);
        }
        // Inputs change in more than one turn, and outputs learn from them as they were.
        scratch.keep(step.inputs, step.outputs.len() > BLOCK, length);
        for (block, outputs) in step.outputs.chunks(BLOCK).enumerate() {
            let rows = Rows { start: start.add(block * ROW), width };
            let next = if block == 0 { later } else { &[] };
            update::<M::Wide>(step.inputs, &scratch.old_inputs, outputs, next, rows, length);
        }
    }
}

/// Does a step with the mean of the inputs as the one input; each of them moves as the mean does. O((inputs + outputs) ·
/// dim).
///
/// # Safety
/// As [`step`].
#[inline(always)]
pub(super) unsafe fn step_of_mean<M: Machine>(of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    let length = of.dim.next_multiple_of(M::Wide::COUNT);
    let mut means = std::mem::take(&mut scratch.means);
    means.resize(2 * length, 0.0);
    let (new, old) = means.split_at_mut(length);
    // SAFETY: the caller's promises; both means are of `length` numbers.
    unsafe {
        mean::<M::Wide>(of.inputs, old.as_mut_ptr(), length);
        new.copy_from_slice(old);
        step::<M>(&Step { inputs: &[new.as_mut_ptr()], may_repeat: false, ..*of }, scratch, loss);
        spread::<M::Wide>(of.inputs, new.as_ptr(), old.as_ptr(), length);
    }
    scratch.means = means;
}
