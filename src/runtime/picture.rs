//! Pictures of a skill, drawn with half blocks: each cell is two pixels, one above the other.

use crate::inert;
use crate::text::human_size;
use crate::text::{Doc, DocLine, DocSpan, Role, SafeText};
use image::{ImageReader, Limits, RgbaImage};
use std::io::Cursor;

/// In bytes. A larger file is not decoded.
pub const PICTURE_BYTES: u64 = 8 << 20;

/// In pixels, of each side.
const MAX_PIXELS: u32 = 8_192;

/// In bytes, of the decoded picture. A decoder may take two or three times as much in addition.
const MAX_MEMORY: u64 = 40 << 20;

/// In rows of cells. A tall picture is drawn narrower.
const MAX_ROWS: u32 = 120;

/// The alpha, of 255, from which a pixel is drawn. Below it the terminal's background is seen.
const OPAQUE: u8 = 128;

/// Draws a PNG, JPEG or GIF picture in at most so many columns, below a line with its size;
/// `None` if it is none, or cannot be decoded within the limits.
pub fn picture(bytes: &[u8], columns: usize) -> Option<Doc> {
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().ok()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_PIXELS);
    limits.max_image_height = Some(MAX_PIXELS);
    limits.max_alloc = Some(MAX_MEMORY);
    reader.limits(limits);
    let decoded = reader.decode().ok()?;
    let (width, height) = (decoded.width(), decoded.height());
    let columns = u32::try_from(columns).unwrap_or(u32::MAX).clamp(1, width.max(1));
    let fitting = decoded.thumbnail(columns, MAX_ROWS * 2).into_rgba8();
    let size = human_size(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    let about = inert!("{} × {} pixels, {}", width, height, SafeText::line(&size));
    let head = [DocLine::of(about, Role::Muted, 1), DocLine { spans: Vec::new(), source: 1 }];
    let rows = (0..fitting.height().div_ceil(2)).map(|row| line(&fitting, row));
    Some(Doc { lines: head.into_iter().chain(rows).collect(), ..Doc::default() })
}

/// A row of cells.
fn line(picture: &RgbaImage, row: u32) -> DocLine {
    let pixel = |x: u32, y: u32| {
        let pixel = picture.get_pixel_checked(x, y)?;
        let [red, green, blue, alpha] = pixel.0;
        (alpha >= OPAQUE).then_some([red, green, blue])
    };
    let cell = |x: u32| match (pixel(x, 2 * row), pixel(x, 2 * row + 1)) {
        (Some(above), below) => DocSpan::fixed("▀", Role::Pixels(above, below)),
        (None, Some(below)) => DocSpan::fixed("▄", Role::Pixels(below, None)),
        (None, None) => DocSpan::fixed(" ", Role::Plain),
    };
    DocLine { spans: (0..picture.width()).map(cell).collect(), source: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageFormat, Rgba};

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let color = |x: u32, y: u32| {
            let alpha = if x == 0 && format == ImageFormat::Png { 0 } else { 255 };
            Rgba([if y < height / 2 { 250 } else { 5 }, 40, 60, alpha])
        };
        let picture = image::DynamicImage::from(RgbaImage::from_fn(width, height, color));
        let mut bytes = Cursor::new(Vec::new());
        let picture = if format == ImageFormat::Jpeg { picture.to_rgb8().into() } else { picture };
        picture.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_picture_is_two_pixels_a_cell_and_fits() {
        let bytes = encoded(8, 4, ImageFormat::Png);
        let doc = picture(&bytes, 80).unwrap();
        assert!(doc.lines[0].plain().starts_with("8 × 4 pixels"), "{}", doc.lines[0].plain());
        assert_eq!(doc.lines.len(), 4);
        let (above, below) = (&doc.lines[2].spans, &doc.lines[3].spans);
        assert_eq!((above.len(), above[0].text.as_str()), (8, " "), "it is seen through");
        assert_eq!(above[1].role, Role::Pixels([250, 40, 60], Some([250, 40, 60])));
        assert_eq!(below[1].role, Role::Pixels([5, 40, 60], Some([5, 40, 60])));
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif] {
            let doc = picture(&encoded(300, 2_000, format), 40).unwrap();
            assert!(doc.lines.iter().skip(2).all(|line| line.width() <= 40), "{format:?}");
            assert!(doc.lines.len() as u32 <= MAX_ROWS + 2, "{format:?}");
        }
    }

    #[test]
    fn what_is_broken_too_large_or_no_picture_is_none() {
        let bytes = encoded(64, 64, ImageFormat::Png);
        for end in [0, 8, 20, bytes.len() / 2] {
            assert!(picture(&bytes[..end], 40).is_none(), "{end}");
        }
        assert!(picture(b"text", 40).is_none());
        // A header that promises 65,535 × 65,535 pixels, with a first picture of as many.
        let mut bomb = encoded(16, 16, ImageFormat::Gif);
        bomb[6..10].copy_from_slice(&[0xff; 4]);
        assert!(picture(&bomb, 40).is_none());
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_panic(at in 0_usize..2_000, byte: u8, cut in 0_usize..2_000, which in 0_usize..3) {
            let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif];
            let mut bytes = encoded(16, 16, formats[which]);
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            let _ = picture(&bytes, 10);
        }
    }
}
