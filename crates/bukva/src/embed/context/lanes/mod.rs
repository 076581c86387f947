//! Registers of `f32`s: the few operations that the kernels are made of, for each kind of processor.
//!
//! The kernels are generic over [`Machine`] and compiled once for each; at run time they are chosen by [`Instructions`].

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;

#[cfg(target_arch = "x86_64")]
pub(in crate::embed) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(in crate::embed) use avx512::Avx512;
pub(in crate::embed) use portable::Portable;

/// A kind of processor, at run time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::embed) enum Instructions {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Instructions {
    /// What this processor has, the fastest first.
    pub(in crate::embed) fn all() -> Vec<Self> {
        let mut all = Vec::new();
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            all.extend(is_x86_feature_detected!("avx512f").then_some(Instructions::Avx512));
            all.push(Instructions::Avx2);
        }
        all.push(Instructions::Portable);
        all
    }

    /// The name in records.
    pub(in crate::embed) fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => "avx2",
            Instructions::Portable => "portable",
        }
    }
}

/// The registers of a kind of processor.
pub(in crate::embed) trait Machine {
    /// What rows are read and written with.
    type Wide: Lanes;
    /// What the eight numbers of a row of pairs are worked on with.
    type Eight: Eight;
}

/// A register of `f32`s. All methods ask that the processor has the instructions of the type.
pub(in crate::embed) trait Lanes: Copy {
    /// How many numbers it holds: a divisor of 16.
    const COUNT: usize;

    /// # Safety
    /// `COUNT` numbers are readable at `from`.
    unsafe fn load(from: *const f32) -> Self;

    /// # Safety
    /// `COUNT` numbers are writable at `to`.
    unsafe fn store(self, to: *mut f32);

    /// # Safety
    /// The processor has the instructions.
    unsafe fn splat(value: f32) -> Self;

    /// `self * factor + addend`.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn mul_add(self, factor: Self, addend: Self) -> Self;

    /// 1/√x for each number, to 2⁻²² of its size. Numbers from 10⁻³⁰ to 10³⁰.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn inverse_root(self) -> Self;

    /// Writes the sum of each register's numbers.
    ///
    /// # Safety
    /// Eight numbers are writable at `to`.
    unsafe fn store_sums(registers: [Self; 8], to: *mut f32);
}

/// A register of eight `f32`s with what sigmoid and loss need.
pub(in crate::embed) trait Eight: Lanes {
    /// Eight whole numbers.
    type Whole: Copy;

    /// # Safety
    /// The processor has the instructions.
    unsafe fn mul(self, other: Self) -> Self;

    /// # Safety
    /// The processor has the instructions.
    unsafe fn sub(self, other: Self) -> Self;

    /// # Safety
    /// The processor has the instructions.
    unsafe fn div(self, other: Self) -> Self;

    /// # Safety
    /// The processor has the instructions.
    unsafe fn min(self, other: Self) -> Self;

    /// # Safety
    /// The processor has the instructions.
    unsafe fn max(self, other: Self) -> Self;

    /// The nearest whole numbers, and 2 to their power. Numbers between -126 and 127.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn round_and_power(self) -> (Self, Self);

    /// The mantissas, from 1 to below 2, and `exponents` with the exponents added. Positive normal numbers.
    ///
    /// # Safety
    /// The processor has the instructions.
    unsafe fn split(self, exponents: Self::Whole) -> (Self, Self::Whole);

    /// # Safety
    /// The processor has the instructions.
    unsafe fn load_whole(from: &[i32; 8]) -> Self::Whole;

    /// # Safety
    /// The processor has the instructions.
    unsafe fn store_whole(whole: Self::Whole, to: &mut [i32; 8]);
}
