//! The kernel for this processor.

use super::loss::Loss;
use super::pairs::{Scratch, Step, step};
use crate::embed::context::lanes::Portable;
#[cfg(target_arch = "x86_64")]
use crate::embed::context::lanes::{Avx2, Avx512};

/// A step, compiled for some processor.
#[derive(Debug, Clone, Copy)]
pub(in crate::embed::context) struct Kernel {
    /// The instructions that it is made of.
    pub(in crate::embed::context) name: &'static str,
    run: unsafe fn(&Step<'_>, &mut Scratch, &mut Loss),
}

impl Kernel {
    /// The fastest that this processor has.
    pub(in crate::embed::context) fn best() -> Self {
        Self::all()[0]
    }

    /// All that this processor has, the fastest first.
    pub(in crate::embed::context) fn all() -> Vec<Self> {
        let mut kernels = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            if is_x86_feature_detected!("avx512f") {
                kernels.push(Kernel { name: "avx512", run: avx512 });
            }
            kernels.push(Kernel { name: "avx2", run: avx2 });
        }
        kernels.push(Kernel { name: "portable", run: portable });
        kernels
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
