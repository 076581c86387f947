//! The log likelihood of many pairs, without a logarithm for each.

/// The product of probabilities, as eight mantissas and eight exponents; exact but for the rounding of products.
#[derive(Debug, Clone)]
pub(in crate::embed::context) struct Loss {
    pub(super) mantissas: [f32; 8],
    pub(super) exponents: [i32; 8],
}

impl Default for Loss {
    fn default() -> Self {
        Loss { mantissas: [1.0; 8], exponents: [0; 8] }
    }
}

impl Loss {
    /// The negative logarithm of the product of all probabilities since the last call, which is the sum of their
    /// losses in nats. To be called before a million steps with up to ten inputs are over.
    pub(in crate::embed::context) fn take(&mut self) -> f64 {
        let Loss { mantissas, exponents } = std::mem::take(self);
        let mantissas: f64 = mantissas.iter().map(|&mantissa| f64::from(mantissa).ln()).sum();
        let exponents: f64 = exponents.iter().copied().map(f64::from).sum();
        -(mantissas + exponents * std::f64::consts::LN_2)
    }
}
