//! Header, section table and checksum of an image.
//!
//! Header (32 bytes): magic 8, version u32, number of sections u32, length of the file u64, checksum u64.
//! Table (32 bytes an entry): name 16 (ASCII, filled with zeros), offset u64, length u64. Then the sections in the
//! order of the table, each at the next multiple of 8. All numbers are little-endian.

use xxhash_rust::xxh3::Xxh3;

use crate::error::{Error, Kind, Result, shown};

/// The first bytes of an image. Not text: a high bit, and both line ends, which a transfer as text would change.
pub const MAGIC: [u8; 8] = *b"\x8bbukva\r\n";

/// The version this code writes, and the newest it reads.
pub const VERSION: u32 = 1;

const HEADER: usize = 32;
const ENTRY: usize = 32;
const NAME: usize = 16;
const ALIGNMENT: usize = 8;
const CHECKSUM: std::ops::Range<usize> = 24..32;

/// A named run of bytes.
pub(super) struct Section<B> {
    pub(super) name: &'static str,
    pub(super) bytes: B,
}

/// The sections of an image, by name.
pub(super) struct Sections<'a>(Vec<(&'a [u8], &'a [u8])>);

impl<'a> Sections<'a> {
    /// The bytes of the section `name`, where the image has it.
    pub(super) fn get(&self, name: &str) -> Option<&'a [u8]> {
        self.0.iter().find(|(found, _)| *found == name.as_bytes()).map(|(_, bytes)| *bytes)
    }

    /// The first section whose name is not in `known`.
    pub(super) fn unknown(&self, known: &[&str]) -> Option<&'a [u8]> {
        self.0.iter().map(|(name, _)| *name).find(|name| !known.iter().any(|known| known.as_bytes() == *name))
    }
}

/// Joins sections into an image. Names are at most 16 bytes.
pub(super) fn join(sections: &[Section<Vec<u8>>]) -> Vec<u8> {
    let mut out = Vec::new();
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((sections.len() as u32).to_le_bytes());
    out.extend([0; 16]);
    let mut offset = HEADER + ENTRY * sections.len();
    for section in sections {
        let mut name = [0; NAME];
        name[..section.name.len()].copy_from_slice(section.name.as_bytes());
        out.extend(name);
        out.extend((offset as u64).to_le_bytes());
        out.extend((section.bytes.len() as u64).to_le_bytes());
        offset = aligned(offset + section.bytes.len());
    }
    for section in sections {
        out.extend(&section.bytes);
        out.resize(aligned(out.len()), 0);
    }
    let length = out.len() as u64;
    out[16..24].copy_from_slice(&length.to_le_bytes());
    let checksum = checksum(&out);
    out[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    out
}

/// Checks an image and cuts it into its sections. Every declared number is compared with the bytes that are there
/// before anything is done with it.
pub(super) fn split(bytes: &[u8]) -> Result<Sections<'_>> {
    check_header(bytes)?;
    let count = u32_at(bytes, 12) as usize;
    let room = (bytes.len() - HEADER) / ENTRY;
    if count > room {
        return Err(damaged(format!("the header declares {count} sections, and there is room for {room}")).at_byte(12));
    }
    let mut sections: Vec<(&[u8], &[u8])> = Vec::with_capacity(count);
    let mut expected = HEADER + ENTRY * count;
    for index in 0..count {
        let at = HEADER + ENTRY * index;
        let (name, section) = entry(bytes, at, expected)?;
        if sections.iter().any(|(earlier, _)| *earlier == name) {
            return Err(damaged(format!("section {} is there twice", shown(name))).at_byte(at as u64));
        }
        expected = aligned(expected + section.len());
        sections.push((name, section));
    }
    if expected != bytes.len() {
        return Err(damaged(format!("the sections end at byte {expected}, the file at byte {}", bytes.len())));
    }
    Ok(Sections(sections))
}

fn check_header(bytes: &[u8]) -> Result<()> {
    if !bytes.starts_with(&MAGIC) {
        return Err(damaged("the first 8 bytes are not those of a bukva image"));
    }
    if bytes.len() < HEADER {
        return Err(damaged(format!("{} bytes, shorter than the header of {HEADER}", bytes.len())));
    }
    let version = u32_at(bytes, 8);
    if version != VERSION {
        let message = format!("image version {version}; this bukva reads version {VERSION}: use the one that wrote it");
        return Err(damaged(message).at_byte(8));
    }
    let declared = u64_at(bytes, 16);
    if declared != bytes.len() as u64 {
        let message =
            format!("the header declares {declared} bytes, the file has {}: truncated or extended", bytes.len());
        return Err(damaged(message).at_byte(16));
    }
    let (declared, found) = (u64_at(bytes, CHECKSUM.start), checksum(bytes));
    if declared != found {
        let message =
            format!("checksum {found:016x}, the header declares {declared:016x}: the file was changed or damaged");
        return Err(damaged(message).at_byte(CHECKSUM.start as u64));
    }
    Ok(())
}

/// One entry of the table, whose section must lie exactly at `expected`.
fn entry(bytes: &[u8], at: usize, expected: usize) -> Result<(&[u8], &[u8])> {
    let name = &bytes[at..at + NAME];
    let name = &name[..name.iter().position(|&byte| byte == 0).unwrap_or(NAME)];
    let (offset, length) = (u64_at(bytes, at + NAME), u64_at(bytes, at + NAME + 8));
    let section = usize::try_from(length)
        .ok()
        .filter(|_| offset == expected as u64)
        .and_then(|length| expected.checked_add(length))
        .and_then(|end| bytes.get(expected..end));
    match section {
        Some(section) => Ok((name, section)),
        None => {
            let message = format!(
                "section {} declares {length} bytes at byte {offset}; expected at byte {expected} of {}",
                shown(name),
                bytes.len()
            );
            Err(damaged(message).at_byte(at as u64))
        }
    }
}

/// Over everything but the checksum itself, so that a change anywhere is seen.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = Xxh3::new();
    hash.update(&bytes[..CHECKSUM.start]);
    hash.update(&bytes[CHECKSUM.end..]);
    hash.digest()
}

fn aligned(length: usize) -> usize {
    length.next_multiple_of(ALIGNMENT)
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|index| bytes[at + index]))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]))
}

/// An error about a file that is not a whole image.
pub(super) fn damaged(message: impl Into<String>) -> Error {
    Error::new(Kind::Format, format!("bukva image: {}", message.into()))
}
