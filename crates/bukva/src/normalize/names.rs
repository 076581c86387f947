//! The names by which a trainer offers normalizers.

use crate::error::{Error, Kind, Result, quoted};
use crate::spec::{Form, Normalizer};

/// Every name that [`from_name`] knows.
pub const NAMES: [&str; 7] = ["nfc", "nfd", "nfkc", "nfkd", "lowercase", "collapse_whitespace", "strip"];

/// The normalizer called `name`.
///
/// # Errors
/// [`Kind::Argument`] for a name that is none of [`NAMES`].
pub fn from_name(name: &str) -> Result<Normalizer> {
    Ok(match name {
        "nfc" => Normalizer::Unicode { form: Form::Nfc },
        "nfd" => Normalizer::Unicode { form: Form::Nfd },
        "nfkc" => Normalizer::Unicode { form: Form::Nfkc },
        "nfkd" => Normalizer::Unicode { form: Form::Nfkd },
        "lowercase" => Normalizer::Lowercase,
        "collapse_whitespace" => Normalizer::CollapseWhitespace,
        "strip" => Normalizer::Strip { left: true, right: true },
        _ => return Err(unknown(name)),
    })
}

/// The normalizers called `names`, applied in order; one name is that normalizer alone, no name is `None`.
///
/// # Errors
/// [`Kind::Argument`] for a name that is none of [`NAMES`].
pub fn from_names<S: AsRef<str>>(names: &[S]) -> Result<Option<Normalizer>> {
    let mut items = names.iter().map(|name| from_name(name.as_ref())).collect::<Result<Vec<_>>>()?;
    Ok(if items.len() > 1 { Some(Normalizer::Sequence { items }) } else { items.pop() })
}

fn unknown(name: &str) -> Error {
    let message =
        format!("normalizer {} is not known; the names are {}, or a list of them", quoted(name), NAMES.join(", "));
    Error::new(Kind::Argument, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known() {
        assert!(NAMES.iter().all(|name| from_name(name).is_ok()));
        assert_eq!(from_names::<&str>(&[]).unwrap(), None);
        assert_eq!(from_names(&["lowercase"]).unwrap(), Some(Normalizer::Lowercase));
        let two = Normalizer::Sequence { items: vec![Normalizer::Unicode { form: Form::Nfkc }, Normalizer::Lowercase] };
        assert_eq!(from_names(&["nfkc", "lowercase"]).unwrap(), Some(two));
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        let error = from_name("NFC").unwrap_err();
        assert_eq!(error.kind, Kind::Argument);
        assert!(error.message.contains("\"NFC\"") && error.message.contains("nfkd, lowercase"), "{error}");
    }
}
