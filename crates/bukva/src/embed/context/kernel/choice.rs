//! The kernel for this processor.

use super::loss::Loss;
use super::pairs::{Scratch, Step, step, step_of_mean};
#[cfg(target_arch = "x86_64")]
use crate::embed::context::lanes::{Avx2, Avx512};
use crate::embed::context::lanes::{Instructions, Portable};

/// A step, compiled for some processor.
#[derive(Debug, Clone, Copy)]
pub(in crate::embed::context) struct Kernel {
    /// The instructions that it is made of.
    pub(in crate::embed::context) name: &'static str,
    run: Run,
    run_of_mean: Run,
}

type Run = unsafe fn(&Step<'_>, &mut Scratch, &mut Loss);

impl Kernel {
    /// The fastest that this processor has.
    pub(in crate::embed::context) fn best() -> Self {
        Self::all()[0]
    }

    /// All that this processor has, the fastest first.
    pub(in crate::embed::context) fn all() -> Vec<Self> {
        Instructions::all().into_iter().map(Self::of).collect()
    }

    fn of(instructions: Instructions) -> Self {
        let (run, run_of_mean): (Run, Run) = match instructions {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => (avx512, avx512_of_mean),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => (avx2, avx2_of_mean),
            Instructions::Portable => (portable, portable_of_mean),
        };
        Kernel { name: instructions.name(), run, run_of_mean }
    }

    /// Does a step.
    ///
    /// # Safety
    /// Each row is readable and writable for `of.dim` numbers, rounded up to a multiple of 16. There are as many columns
    /// as outputs. Other threads may write rows at the same time only by this function: then numbers get lost or are
    /// added to older ones, and no other harm is done.
    #[inline]
    pub(in crate::embed::context) unsafe fn step(self, of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
        // SAFETY: the processor has the instructions: `all` looked. The rest is the caller's promise.
        unsafe { (self.run)(of, scratch, loss) }
    }

    /// Does a step with the mean of the inputs as the one input; each of them moves as the mean does.
    ///
    /// # Safety
    /// As [`Kernel::step`].
    #[inline]
    pub(in crate::embed::context) unsafe fn step_of_mean(self, of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
        // SAFETY: as in `step`.
        unsafe { (self.run_of_mean)(of, scratch, loss) }
    }
}

/// # Safety
/// As [`step`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn avx512(of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    // SAFETY: the caller's promises.
    unsafe { step::<Avx512>(of, scratch, loss) }
}

/// # Safety
/// As [`step`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2(of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    // SAFETY: the caller's promises.
    unsafe { step::<Avx2>(of, scratch, loss) }
}

/// # Safety
/// As [`step`].
unsafe fn portable(of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    // SAFETY: the caller's promises.
    unsafe { step::<Portable>(of, scratch, loss) }
}

/// # Safety
/// As [`step`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
unsafe fn avx512_of_mean(of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    // SAFETY: the caller's promises.
    unsafe { step_of_mean::<Avx512>(of, scratch, loss) }
}

/// # Safety
/// As [`step`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2_of_mean(of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    // SAFETY: the caller's promises.
    unsafe { step_of_mean::<Avx2>(of, scratch, loss) }
}

/// # Safety
/// As [`step`].
unsafe fn portable_of_mean(of: &Step<'_>, scratch: &mut Scratch, loss: &mut Loss) {
    // SAFETY: the caller's promises.
    unsafe { step_of_mean::<Portable>(of, scratch, loss) }
}
