//! Header, section table and checksum of an image.
//!
//! Header (32 bytes): magic 8, version u32, number of sections u32, length of the file u64, checksum u64.
//! Table (32 bytes an entry): name 16 (ASCII, filled with zeros), offset u64, length u64. Then the sections in the
//! order of the table, each at the next multiple of 64. All numbers are little-endian.

use std::ops::Range;
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use crate::block::{Bytes, Map, Sections, damaged};
use crate::error::{Result, shown};

/// The first bytes of an image. Not text: a high bit, and both line ends, which a transfer as text would change.
pub const MAGIC: [u8; 8] = *b"\x8bbukva\r\n";

/// The version this code writes, and the only one it reads.
pub const VERSION: u32 = 3;

const HEADER: usize = 32;
const ENTRY: usize = 32;
const NAME: usize = 16;
/// A cache line, so that no table entry lies in more of them than it must.
const ALIGNMENT: usize = 64;
const CHECKSUM: Range<usize> = 24..32;

/// Joins sections into an image. Names are at most 16 bytes. O(size).
pub(super) fn join(sections: &[Bytes<'_>]) -> Vec<u8> {
    let length = sections.iter().fold(end_of_table(sections.len()), |end, (_, bytes)| aligned(end + bytes.len()));
    let mut out = Vec::with_capacity(length);
    out.extend(MAGIC);
    out.extend(VERSION.to_le_bytes());
    out.extend((sections.len() as u32).to_le_bytes());
    out.extend((length as u64).to_le_bytes());
    out.extend([0; 8]);
    let mut offset = end_of_table(sections.len());
    for (name, bytes) in sections {
        let mut padded = [0; NAME];
        padded[..name.len()].copy_from_slice(name.as_bytes());
        out.extend(padded);
        out.extend((offset as u64).to_le_bytes());
        out.extend((bytes.len() as u64).to_le_bytes());
        offset = aligned(offset + bytes.len());
    }
    for (_, bytes) in sections {
        out.resize(aligned(out.len()), 0);
        out.extend_from_slice(bytes);
    }
    out.resize(length, 0);
    let checksum = checksum(&out);
    out[CHECKSUM].copy_from_slice(&checksum.to_le_bytes());
    out
}

fn end_of_table(sections: usize) -> usize {
    aligned(HEADER + ENTRY * sections)
}

/// Checks an image and cuts it into its sections. Every declared number is compared with the bytes that are there
/// before anything is done with it. O(size), for the checksum.
pub(super) fn split(map: Arc<Map>) -> Result<Sections> {
    let bytes = map.bytes();
    check_header(bytes)?;
    let count = u32_at(bytes, 12) as usize;
    let room = (bytes.len() - HEADER) / ENTRY;
    if count > room {
        return Err(damaged(format!("the header declares {count} sections, and there is room for {room}")).at_byte(12));
    }
    let mut sections: Vec<(String, Range<usize>)> = Vec::with_capacity(count);
    let mut expected = end_of_table(count);
    for index in 0..count {
        let at = HEADER + ENTRY * index;
        let (name, section) = entry(bytes, at, expected)?;
        if sections.iter().any(|(earlier, _)| *earlier == name) {
            return Err(damaged(format!("section {name:?} is there twice")).at_byte(at as u64));
        }
        expected = aligned(section.end);
        sections.push((name, section));
    }
    if expected != bytes.len() {
        return Err(damaged(format!("the sections end at byte {expected}, the file at byte {}", bytes.len())));
    }
    Ok(Sections::new(map, sections))
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
        let message = format!(
            "image version {version}; this bukva reads version {VERSION}: make the image anew from the file it came \
             from, or use the bukva that wrote it"
        );
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
fn entry(bytes: &[u8], at: usize, expected: usize) -> Result<(String, Range<usize>)> {
    let name = &bytes[at..at + NAME];
    let name = &name[..name.iter().position(|&byte| byte == 0).unwrap_or(NAME)];
    let (offset, length) = (u64_at(bytes, at + NAME), u64_at(bytes, at + NAME + 8));
    let end = usize::try_from(length).ok().and_then(|length| expected.checked_add(length));
    match (std::str::from_utf8(name), end) {
        (Ok(name), Some(end)) if offset == expected as u64 && end <= bytes.len() => {
            Ok((name.to_owned(), expected..end))
        }
        _ => {
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
