//! Scales images with the browser's own decoder. What is kept is always encoded anew, so that the place where a
//! photograph was taken stays out of it.

use js_sys::Uint8Array;
use sash_browser_kit::file;
use sash_chat::{MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_PREVIEW_BYTES};
use sash_log::image::{
    ImageRefusal, MAX_SOURCE_BYTES, SourceFormat, check_pixels, check_source, encode_image, scaled,
};
use sash_stores::ScaledImage;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    Blob, BlobPropertyBag, CanvasRenderingContext2d, HtmlCanvasElement, ImageBitmap, Url, window,
};

/// A PNG up to this size stays a PNG, in bytes.
const SMALL_PNG_BYTES: usize = 1_000_000;
/// The qualities of JPEG that are tried, the best first.
const QUALITIES: [f64; 3] = [0.88, 0.7, 0.5];
/// The longest sides of a preview that are tried, in pixels.
const PREVIEW_SIDES: [u32; 3] = [192, 128, 64];

/// Scales a file to what a message may have: any that the browser's decoder reads. `named` is the format that the
/// file's name or type says, for content that says none. GIFs give their first frame.
///
/// # Errors
/// [`ImageRefusal`].
pub async fn scale(
    source: &Blob,
    named: Option<SourceFormat>,
) -> Result<ScaledImage, ImageRefusal> {
    if source.size() > MAX_SOURCE_BYTES as f64 {
        return Err(ImageRefusal::FileTooLarge);
    }
    let bytes = file::read(source).await.ok_or(ImageRefusal::Damaged)?;
    let format = check_source(&bytes, named)?;
    drop(bytes);
    let bitmap = decode(source).await.ok_or(format.undecoded())?;
    // Of some formats the size is known only now.
    let size = check_pixels(bitmap.width().into(), bitmap.height().into());
    let found = match size {
        Ok(()) => encode(&bitmap, format).await,
        Err(refusal) => Err(refusal),
    };
    bitmap.close();
    found
}

/// Scales the bytes of a file.
///
/// # Errors
/// [`ImageRefusal`].
pub async fn scale_bytes(bytes: Vec<u8>) -> Result<ScaledImage, ImageRefusal> {
    let parts = js_sys::Array::of1(&Uint8Array::from(&*bytes));
    drop(bytes);
    let blob = Blob::new_with_u8_array_sequence(&parts);
    scale(&blob.map_err(|_| ImageRefusal::Damaged)?, None).await
}

async fn decode(source: &Blob) -> Option<ImageBitmap> {
    let bitmap = window()?.create_image_bitmap_with_blob(source).ok()?;
    JsFuture::from(bitmap).await.ok()?.dyn_into().ok()
}

async fn encode(bitmap: &ImageBitmap, format: SourceFormat) -> Result<ScaledImage, ImageRefusal> {
    let (width, height) = scaled(bitmap.width(), bitmap.height(), MAX_IMAGE_SIDE);
    let preview = preview(bitmap).await;
    let kept = |bytes, is_png| ScaledImage {
        bytes,
        is_png,
        width,
        height,
        preview,
    };
    if format.is_drawing()
        && let Some(bytes) = draw(bitmap, (width, height), None).await
        && bytes.len() <= SMALL_PNG_BYTES
    {
        return Ok(kept(bytes, true));
    }
    for quality in QUALITIES {
        let drawn = draw(bitmap, (width, height), Some(quality)).await;
        let bytes = drawn.ok_or(ImageRefusal::Damaged)?;
        if bytes.len() as u64 <= MAX_IMAGE_BYTES {
            return Ok(kept(bytes, false));
        }
    }
    Err(ImageRefusal::TooLarge)
}

/// A small JPEG in base64; empty if none is small enough.
async fn preview(bitmap: &ImageBitmap) -> String {
    for side in PREVIEW_SIDES {
        let size = scaled(bitmap.width(), bitmap.height(), side);
        let drawn = draw(bitmap, size, Some(0.6)).await.unwrap_or_default();
        let encoded = encode_image(&drawn);
        if (1..=MAX_PREVIEW_BYTES).contains(&encoded.len()) {
            return encoded;
        }
    }
    String::new()
}

/// Draws an image in this size and encodes it: as JPEG of a quality, on white, or as PNG.
async fn draw(
    bitmap: &ImageBitmap,
    (width, height): (u32, u32),
    quality: Option<f64>,
) -> Option<Vec<u8>> {
    let canvas: HtmlCanvasElement = window()?
        .document()?
        .create_element("canvas")
        .ok()?
        .dyn_into()
        .ok()?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    let (width, height) = (f64::from(width), f64::from(height));
    if quality.is_some() {
        // JPEG has no transparency, which would become black.
        context.set_fill_style_str("white");
        context.fill_rect(0.0, 0.0, width, height);
    }
    context.set_image_smoothing_enabled(true);
    context
        .draw_image_with_image_bitmap_and_dw_and_dh(bitmap, 0.0, 0.0, width, height)
        .ok()?;
    let encoded = js_sys::Promise::new(&mut |resolve, reject| {
        let started = match quality {
            Some(quality) => canvas.to_blob_with_type_and_encoder_options(
                &resolve,
                "image/jpeg",
                &quality.into(),
            ),
            None => canvas.to_blob_with_type(&resolve, "image/png"),
        };
        if let Err(error) = started {
            // A promise takes the first of both.
            reject.call1(&JsValue::NULL, &error).ok();
        }
    });
    // `null` where the canvas cannot be encoded.
    let blob: Blob = JsFuture::from(encoded).await.ok()?.dyn_into().ok()?;
    let buffer = JsFuture::from(blob.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer).to_vec())
}

/// A URL under which the page shows bytes, which are freed when this is dropped.
pub struct ObjectUrl(String);

impl ObjectUrl {
    /// A URL of these bytes.
    #[must_use]
    pub fn new(bytes: &[u8], media_type: &str) -> Option<Self> {
        let options = BlobPropertyBag::new();
        options.set_type(media_type);
        let parts = js_sys::Array::of1(&Uint8Array::from(bytes));
        let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options).ok()?;
        Url::create_object_url_with_blob(&blob).ok().map(Self)
    }

    /// The URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Drop for ObjectUrl {
    fn drop(&mut self) {
        // It fails for a text that is no URL alone.
        Url::revoke_object_url(&self.0).ok();
    }
}
