//! The glyphs of a page, in the order in which they are painted.

use pdf_extract::{MediaBox, OutputDev, OutputError, Transform};

/// A glyph, or several that the font's map names together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Glyph {
    /// Its characters.
    pub text: String,
    /// Where it begins, along the line.
    pub x: f64,
    /// Where its line is, from the top of the page.
    pub y: f64,
    /// How far the next glyph is moved.
    pub width: f64,
    /// The height of its font.
    pub size: f64,
    /// Whether it begins a string of the page's program. Inside of one, a gap between glyphs is no blank.
    pub begins_string: bool,
}

impl Glyph {
    /// Where it ends.
    pub fn end(&self) -> f64 {
        self.x + self.width
    }
}

/// Collects the glyphs of one page.
#[derive(Debug, Default)]
pub struct GlyphCollector {
    glyphs: Vec<Glyph>,
    begins_string: bool,
}

impl GlyphCollector {
    /// The glyphs.
    pub fn finish(self) -> Vec<Glyph> {
        self.glyphs
    }
}

impl OutputDev for GlyphCollector {
    fn begin_page(
        &mut self,
        _: u32,
        _: &MediaBox,
        _: Option<(f64, f64, f64, f64)>,
    ) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_page(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn output_character(
        &mut self,
        at: &Transform,
        width: f64,
        _: f64,
        font_size: f64,
        text: &str,
    ) -> Result<(), OutputError> {
        // A line may run in any direction: the places are along it and across it.
        let length = at.m11.hypot(at.m12);
        let (dx, dy) = match length > 0.0 {
            true => (at.m11 / length, at.m12 / length),
            false => (1.0, 0.0),
        };
        let size = (length * at.m21.hypot(at.m22)).sqrt() * font_size.abs();
        self.glyphs.push(Glyph {
            text: text.to_owned(),
            x: at.m31 * dx + at.m32 * dy,
            y: at.m31 * dy - at.m32 * dx,
            width: width * size,
            size,
            begins_string: std::mem::take(&mut self.begins_string),
        });
        Ok(())
    }

    fn begin_word(&mut self) -> Result<(), OutputError> {
        self.begins_string = true;
        Ok(())
    }

    fn end_word(&mut self) -> Result<(), OutputError> {
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), OutputError> {
        Ok(())
    }
}
