//! Opens a source as a stream of plain bytes.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use super::source::{Compression, Location, Source};
use crate::error::{Error, Kind, Result};

/// Bytes of a source after decompression.
pub(super) type Stream = Box<dyn Read + Send>;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// A skippable frame: its first byte is 0x50 to 0x5f.
const SKIPPABLE_MAGIC: [u8; 3] = [0x2a, 0x4d, 0x18];

/// Opens `source`. All members of a gzip file and all frames of a Zstandard file are read.
///
/// # Errors
/// [`Kind::Io`] when the path cannot be opened or is a folder, [`Kind::Corpus`] when the file does not start as its
/// suffix says.
pub(super) fn open(source: &Source) -> Result<Stream> {
    let Location::Path(path) = &source.location else { return Ok(Box::new(io::stdin())) };
    let file = open_file(path)?;
    let failed = |error| read_error(source, &error);
    Ok(match source.compression {
        Compression::None => Box::new(file),
        Compression::Gzip => {
            let (head, whole) = with_head(file).map_err(failed)?;
            check(source, head.starts_with(&GZIP_MAGIC), "gzip", "1f 8b", &head)?;
            Box::new(MultiGzDecoder::new(io::BufReader::new(whole)))
        }
        Compression::Zstd => {
            let (head, whole) = with_head(file).map_err(failed)?;
            let skippable = head.len() == 4 && head[0] & 0xf0 == 0x50 && head[1..] == SKIPPABLE_MAGIC;
            check(source, head == ZSTD_MAGIC || skippable, "Zstandard", "28 b5 2f fd", &head)?;
            Box::new(zstd::stream::read::Decoder::new(whole).map_err(failed)?)
        }
    })
}

fn open_file(path: &Path) -> Result<File> {
    let refused = |error| Error::new(Kind::Io, format!("cannot open {}: {error}", path.display()));
    let file = File::open(path).map_err(refused)?;
    if file.metadata().map_err(refused)?.is_dir() {
        return Err(Error::new(Kind::Io, format!("{} is a folder; a file was expected", path.display())));
    }
    Ok(file)
}

/// The first four bytes, fewer in a shorter file, and the whole file again. Works for pipes, which cannot go back.
fn with_head(file: File) -> io::Result<(Vec<u8>, impl Read + Send)> {
    let mut head = Vec::new();
    let mut first = file.take(4);
    first.read_to_end(&mut head)?;
    Ok((head.clone(), Cursor::new(head).chain(first.into_inner())))
}

fn check(source: &Source, is_right: bool, format: &str, magic: &str, head: &[u8]) -> Result<()> {
    if is_right {
        return Ok(());
    }
    let found = head.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
    let found = if found.is_empty() { "it is empty".to_owned() } else { format!("it starts with {found}") };
    let message = format!("the file is named as {format} data, which starts with {magic}, but {found}; rename it");
    Err(Error::new(Kind::Corpus, message).in_source(source.location.to_string()))
}

/// What a failed read means: damage where the decompressor complains, else trouble of the operating system.
pub(super) fn read_error(source: &Source, error: &io::Error) -> Error {
    let name = match source.compression {
        Compression::Gzip if error.raw_os_error().is_none() => "gzip",
        Compression::Zstd if error.raw_os_error().is_none() => "Zstandard",
        _ => return Error::new(Kind::Io, format!("cannot read {}: {error}", source.location)),
    };
    let message = format!("the {name} data is damaged or ends too early: {error}; fetch or compress the file again");
    Error::new(Kind::Corpus, message).in_source(source.location.to_string())
}
