//! The format of an image that a person adds, by its content and, where that says nothing, by its name.

use imagesize::{Compression, ImageType};

/// The format of an image that a person adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceFormat {
    /// JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// WebP.
    Webp,
    /// GIF, of which the first frame is taken.
    Gif,
    /// BMP.
    Bmp,
    /// ICO, of which the browser takes one picture.
    Ico,
    /// A format that some browsers read, or none; by its name.
    Other(&'static str),
    /// The name or the browser calls it an image, nothing else is known.
    Unknown,
}

const AVIF: SourceFormat = SourceFormat::Other("AVIF");
const HEIC: SourceFormat = SourceFormat::Other("HEIC");
const HEIF: SourceFormat = SourceFormat::Other("HEIF");
const JPEG_2000: SourceFormat = SourceFormat::Other("JPEG 2000");
const JPEG_XL: SourceFormat = SourceFormat::Other("JPEG XL");
const OPEN_EXR: SourceFormat = SourceFormat::Other("OpenEXR");
const PSD: SourceFormat = SourceFormat::Other("PSD");
const RAW: SourceFormat = SourceFormat::Other("RAW");
const TIFF: SourceFormat = SourceFormat::Other("TIFF");

/// The first bytes of formats that `imagesize` does not know.
const BEGINNINGS: &[(&[u8], SourceFormat)] = &[
    (b"\0\0\0\x0cjP  \r\n\x87\n", JPEG_2000),
    (b"\xff\x4f\xff\x51", JPEG_2000),
    (b"gimp xcf ", SourceFormat::Other("XCF")),
    (b"FUJIFILMCCD-RAW", RAW),
    (b"IIU\0", RAW),
    (b"IIRO", RAW),
    (b"IIRS", RAW),
    (b"II\xbc\x01", SourceFormat::Other("JPEG XR")),
];

/// Brands of files of boxes (`ftyp`) that hold one picture or several. A film has others.
const BRANDS: &[(&[u8], SourceFormat)] = &[
    (b"avif", AVIF),
    (b"avis", AVIF),
    (b"avio", AVIF),
    (b"heic", HEIC),
    (b"heix", HEIC),
    (b"heim", HEIC),
    (b"heis", HEIC),
    (b"hevc", HEIC),
    (b"hevx", HEIC),
    (b"hevm", HEIC),
    (b"hevs", HEIC),
    (b"crx ", RAW),
    (b"mif1", HEIF),
    (b"mif2", HEIF),
    (b"msf1", HEIF),
];

/// Endings of names.
const ENDINGS: &[(&str, SourceFormat)] = &[
    ("jpg", SourceFormat::Jpeg),
    ("jpeg", SourceFormat::Jpeg),
    ("jfif", SourceFormat::Jpeg),
    ("png", SourceFormat::Png),
    ("webp", SourceFormat::Webp),
    ("gif", SourceFormat::Gif),
    ("bmp", SourceFormat::Bmp),
    ("ico", SourceFormat::Ico),
    ("avif", AVIF),
    ("heic", HEIC),
    ("heif", HEIF),
    ("hif", HEIF),
    ("jp2", JPEG_2000),
    ("jxl", JPEG_XL),
    ("exr", OPEN_EXR),
    ("psd", PSD),
    ("psb", PSD),
    ("tga", SourceFormat::Other("TGA")),
    ("tif", TIFF),
    ("tiff", TIFF),
    ("xcf", SourceFormat::Other("XCF")),
    ("3fr", RAW),
    ("arw", RAW),
    ("cr2", RAW),
    ("cr3", RAW),
    ("dng", RAW),
    ("nef", RAW),
    ("nrw", RAW),
    ("orf", RAW),
    ("pef", RAW),
    ("raf", RAW),
    ("rw2", RAW),
    ("srw", RAW),
];

impl SourceFormat {
    /// The format by the first bytes; `None` for what is no image by them, whatever the file's name says.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Self> {
        match imagesize::image_type(bytes) {
            Ok(ImageType::Jpeg) => Some(Self::Jpeg),
            Ok(ImageType::Png) => Some(Self::Png),
            Ok(ImageType::Webp) => Some(Self::Webp),
            Ok(ImageType::Gif) => Some(Self::Gif),
            // A text may begin with these two letters.
            Ok(ImageType::Bmp) => is_binary(bytes).then_some(Self::Bmp),
            Ok(ImageType::Ico) => Some(Self::Ico),
            Ok(ImageType::Jxl) => Some(JPEG_XL),
            Ok(ImageType::Psd) => Some(PSD),
            Ok(ImageType::Exr) => Some(OPEN_EXR),
            Ok(ImageType::Tiff) => match bytes.get(8..10) {
                // Canon's mark.
                Some(b"CR") => Some(RAW),
                _ => Some(TIFF),
            },
            Ok(ImageType::Heif(Compression::Av1)) => Some(AVIF),
            Ok(ImageType::Heif(_)) => of_brands(bytes),
            _ => BEGINNINGS
                .iter()
                .find(|(beginning, _)| bytes.starts_with(beginning))
                .map(|(_, format)| *format),
        }
    }

    /// The format by the first bytes, or else `named`, which the name says.
    #[must_use]
    pub fn of_named(bytes: &[u8], named: Option<Self>) -> Option<Self> {
        match Self::of(bytes) {
            // Most cameras' own formats are TIFF inside.
            Some(TIFF) if named == Some(RAW) => named,
            found => found.or(named),
        }
    }

    /// The format of a file whose beginning, name and type (as the browser gives it, perhaps empty) are known. `None` for
    /// no image, and for an image that is text, as SVG is.
    #[must_use]
    pub fn of_file(head: &[u8], name: &str, media_type: &str) -> Option<Self> {
        let named = by_ending(name);
        match Self::of(head) {
            Some(_) => Self::of_named(head, named),
            None if !is_binary(head) => None,
            None => named.or_else(|| {
                let kind = media_type.strip_prefix("image/")?;
                let by_type = by_ending(&format!(".{}", kind.trim_start_matches("x-")));
                (kind != "svg+xml").then(|| by_type.unwrap_or(Self::Unknown))
            }),
        }
    }

    /// Whether it is kept as PNG if that is small enough: JPEG blurs the edges of drawings and text.
    #[must_use]
    pub fn is_drawing(self) -> bool {
        matches!(self, Self::Png | Self::Gif | Self::Bmp | Self::Ico)
    }

    /// Whether all browsers read it: what they cannot read is damaged then.
    #[must_use]
    pub fn is_common(self) -> bool {
        !matches!(self, Self::Other(_) | Self::Unknown)
    }
}

/// The format by the brands in the first box of a file.
fn of_brands(bytes: &[u8]) -> Option<SourceFormat> {
    let length = bytes.first_chunk().copied().map(u32::from_be_bytes)?;
    let length = usize::try_from(length).ok()?.min(bytes.len());
    // After the main brand is its version.
    let brands = bytes.get(8..length)?.chunks_exact(4).enumerate();
    let brands: Vec<&[u8]> = brands
        .filter(|(at, _)| *at != 1)
        .map(|(_, brand)| brand)
        .collect();
    let mut known = BRANDS.iter().filter(|(brand, _)| brands.contains(brand));
    known.next().map(|(_, format)| *format)
}

fn by_ending(name: &str) -> Option<SourceFormat> {
    let (_, ending) = name.rsplit_once('.')?;
    let mut endings = ENDINGS.iter();
    endings
        .find(|(known, _)| ending.eq_ignore_ascii_case(known))
        .map(|(_, format)| *format)
}

/// Whether the first bytes of a file are no text in UTF-8. They may end within a character.
fn is_binary(head: &[u8]) -> bool {
    let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
    head.contains(&0) || !std::str::from_utf8(head).map_or_else(is_cut, |_| true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first box of a file of boxes.
    fn boxes(major: &[u8; 4], others: &[&[u8; 4]]) -> Vec<u8> {
        let length = u32::try_from(16 + 4 * others.len()).unwrap();
        let mut bytes = length.to_be_bytes().to_vec();
        bytes.extend(b"ftyp");
        bytes.extend(major);
        bytes.extend([0; 4]);
        others.iter().for_each(|brand| bytes.extend(*brand));
        bytes.extend(b"\0\0\0\x10mdat\x01\x02\x03\x04\x05\x06\x07\x08");
        bytes
    }

    #[test]
    fn pictures_of_phones_are_told_from_films_by_their_brands() {
        for (major, others, format) in [
            (b"heic", &[b"mif1", b"heic"][..], Some(HEIC)),
            (b"heix", &[], Some(HEIC)),
            (b"mif1", &[b"mif1", b"miaf", b"MiHB", b"heix"], Some(HEIC)),
            (b"msf1", &[b"hevc"], Some(HEIC)),
            (b"mif1", &[b"mif1"], Some(HEIF)),
            (b"avif", &[b"mif1"], Some(AVIF)),
            (b"mif1", &[b"mif1", b"miaf", b"avif"], Some(AVIF)),
            (b"crx ", &[b"crx ", b"isom"], Some(RAW)),
            (b"isom", &[b"iso2", b"mp41"], None),
            (b"qt  ", &[], None),
            (b"M4A ", &[b"isom"], None),
        ] {
            assert_eq!(SourceFormat::of(&boxes(major, others)), format, "{major:?}");
        }
    }

    #[test]
    fn formats_that_browsers_may_not_read_are_known_by_their_bytes() {
        for (bytes, format) in [
            (&b"II*\0\x08\0\0\0\0\0\0\0"[..], TIFF),
            (b"MM\0*\0\0\0\x08\0\0\0\0", TIFF),
            (b"II*\0\x10\0\0\0CR\x02\0", RAW),
            (b"FUJIFILMCCD-RAW 0201", RAW),
            (b"IIU\0\x18\0\0\0\x88\xe7\x74\xd8", RAW),
            (b"8BPS\0\x01\0\0\0\0\0\0", PSD),
            (b"\0\0\0\x0cJXL \r\n\x87\n", JPEG_XL),
            (b"\xff\x0a\xfa\x7f\x01\x90\x08\x06\x01\0\x68\0", JPEG_XL),
            (b"\0\0\0\x0cjP  \r\n\x87\n\0\0", JPEG_2000),
            (b"\x76\x2f\x31\x01\x02\0\0\0\0\0\0\0", OPEN_EXR),
            (b"gimp xcf v011\0\0\0\x05", SourceFormat::Other("XCF")),
            (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0", SourceFormat::Bmp),
            (b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0", SourceFormat::Ico),
        ] {
            assert_eq!(SourceFormat::of(bytes), Some(format), "{bytes:?}");
        }
    }

    #[test]
    fn a_file_is_an_image_by_its_bytes_first_and_by_its_name_or_type_then() {
        let (noise, text) = (
            &b"\x01\x02\xff\xfe\0\x07 and so on"[..],
            "Überall – text".as_bytes(),
        );
        for (head, name, media_type, format) in [
            // A photograph of a phone under the name of another format.
            (&boxes(b"heic", &[])[..], "a.jpg", "image/jpeg", Some(HEIC)),
            // A PNG whose first bytes are lost.
            (noise, "a.PNG", "", Some(SourceFormat::Png)),
            (noise, "a", "image/png", Some(SourceFormat::Png)),
            (noise, "a.heic", "", Some(HEIC)),
            (noise, "a", "image/x-exr", Some(OPEN_EXR)),
            (noise, "a", "image/x-new", Some(SourceFormat::Unknown)),
            (b"II*\0\x08\0\0\0\0\0\0\0", "a.nef", "", Some(RAW)),
            (b"II*\0\x08\0\0\0\0\0\0\0", "a.tif", "", Some(TIFF)),
            (noise, "a.bin", "application/octet-stream", None),
            (noise, "a", "image/svg+xml", None),
            // What is text is read as text, whatever it is called.
            (text, "a.png", "image/png", None),
            (
                b"<svg xmlns='http://www.w3.org/2000/svg'/>",
                "a.svg",
                "image/svg+xml",
                None,
            ),
            (b"BMW, Audi and other makes", "cars.txt", "text/plain", None),
            (b"", "a.png", "image/png", None),
        ] {
            assert_eq!(
                SourceFormat::of_file(head, name, media_type),
                format,
                "{name}"
            );
        }
    }
}
