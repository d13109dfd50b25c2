//! A vector in a byte for each number.

/// The largest absolute value of a byte.
const MAX_BYTE: f32 = 127.0;
/// The bytes of the scale that stand before the values.
const SCALE_BYTES: usize = 4;

/// A direction in the space of an embedding model: a byte for each number, and the scale with which the bytes make a
/// vector of length 1. It takes a quarter of the room of the numbers that it is made of, and its cosine with another
/// one differs by less than 0.01 from theirs.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantizedVector {
    scale: f32,
    values: Vec<i8>,
}

impl QuantizedVector {
    /// The direction of a vector of any length. `None` without one: no numbers, zeros only, or a number that is not
    /// finite.
    #[must_use]
    pub fn new(vector: &[f32]) -> Option<Self> {
        let largest = vector.iter().fold(0.0, |most: f32, x| most.max(x.abs()));
        // `max` drops what is not a number.
        if largest <= 0.0 || !vector.iter().all(|x| x.is_finite()) {
            return None;
        }
        let byte = |x: &f32| (x / largest * MAX_BYTE).round() as i8;
        Some(Self::of_values(vector.iter().map(byte).collect()))
    }

    /// `values` are not all 0.
    fn of_values(values: Vec<i8>) -> Self {
        let length = (dot(&values, &values) as f32).sqrt();
        Self {
            scale: 1.0 / length,
            values,
        }
    }

    /// How many numbers it has.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.values.len()
    }

    /// The cosine of the angle to another one; `None` if that one has another number of dimensions.
    #[must_use]
    pub fn cosine(&self, other: &Self) -> Option<f32> {
        let same = self.dimensions() == other.dimensions();
        same.then(|| dot(&self.values, &other.values) as f32 * self.scale * other.scale)
    }

    /// The bytes to be kept: the scale (little-endian), then the values.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.scale.to_le_bytes().to_vec();
        bytes.extend(self.values.iter().map(|value| value.cast_unsigned()));
        bytes
    }

    /// Reads what [`Self::to_bytes`] wrote; `None` if it is damaged.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (scale, values) = bytes.split_at_checked(SCALE_BYTES)?;
        let scale = f32::from_le_bytes(scale.try_into().ok()?);
        let values: Vec<i8> = values.iter().map(|byte| byte.cast_signed()).collect();
        if values.iter().all(|value| *value == 0) {
            return None;
        }
        let read = Self::of_values(values);
        ((read.scale - scale).abs() <= f32::EPSILON * scale.abs()).then_some(read)
    }
}

/// The mean of some directions: what stands for a text that was embedded in parts. `None` if there are none, or if they
/// have different numbers of dimensions.
#[must_use]
pub fn mean_direction(vectors: &[Vec<f32>]) -> Option<QuantizedVector> {
    let dimensions = vectors.first()?.len();
    let mut sum = vec![0.0; dimensions];
    for vector in vectors {
        let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
        if vector.len() != dimensions || length <= 0.0 {
            return None;
        }
        for (sum, x) in sum.iter_mut().zip(vector) {
            *sum += x / length;
        }
    }
    QuantizedVector::new(&sum)
}

/// The sum of the products. 100,000 dimensions do not overflow it.
fn dot(one: &[i8], other: &[i8]) -> i32 {
    let pairs = one.iter().zip(other);
    pairs.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quantized(vector: &[f32]) -> QuantizedVector {
        QuantizedVector::new(vector).unwrap()
    }

    /// Numbers between -1 and 1 that look random.
    fn random(seed: u32, dimensions: usize) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        (0..dimensions).map(|_| next()).collect()
    }

    fn exact_cosine(one: &[f32], other: &[f32]) -> f32 {
        let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        dot(one, other) / (dot(one, one) * dot(other, other)).sqrt()
    }

    #[test]
    fn a_byte_for_each_number_keeps_the_cosine() {
        for seed in 0..50 {
            let (one, other) = (random(seed, 384), random(seed + 1000, 384));
            let near: Vec<f32> = one.iter().zip(&other).map(|(a, b)| a + 0.5 * b).collect();
            for other in [other, near] {
                let exact = exact_cosine(&one, &other);
                let found = quantized(&one).cosine(&quantized(&other)).unwrap();
                assert!((found - exact).abs() < 0.01, "{found} for {exact}");
            }
        }
    }

    #[test]
    fn length_says_nothing_and_what_has_no_direction_is_none() {
        let cosine = |a: &[f32], b: &[f32]| quantized(a).cosine(&quantized(b));
        assert!((cosine(&[1.0, 2.0], &[10.0, 20.0]).unwrap() - 1.0).abs() < 0.001);
        assert!((cosine(&[1.0, 2.0], &[-1.0, -2.0]).unwrap() + 1.0).abs() < 0.001);
        assert_eq!(cosine(&[1.0, 0.0], &[0.0, 1.0]), Some(0.0));
        assert_eq!(cosine(&[1.0], &[1.0, 1.0]), None);
        for none in [&[][..], &[0.0, 0.0], &[1.0, f32::NAN], &[f32::INFINITY]] {
            assert_eq!(QuantizedVector::new(none), None, "{none:?}");
        }
    }

    #[test]
    fn it_is_kept_as_bytes_and_damaged_bytes_are_none() {
        let vector = quantized(&random(7, 64));
        let bytes = vector.to_bytes();
        assert_eq!(bytes.len(), 68);
        assert_eq!(QuantizedVector::from_bytes(&bytes), Some(vector));
        let mut changed = bytes.clone();
        changed[10] ^= 0x40;
        for damaged in [&[][..], &bytes[..3], &bytes[..4], &bytes[..40], &changed] {
            assert_eq!(QuantizedVector::from_bytes(damaged), None);
        }
    }

    #[test]
    fn parts_count_alike_however_long_their_vectors_are() {
        let mean = mean_direction(&[vec![1.0, 0.0], vec![0.0, 100.0]]).unwrap();
        let cosine = mean.cosine(&quantized(&[1.0, 1.0])).unwrap();
        assert!((cosine - 1.0).abs() < 0.001, "{cosine}");
        assert_eq!(mean_direction(&[]), None);
        assert_eq!(mean_direction(&[vec![1.0], vec![1.0, 2.0]]), None);
        assert_eq!(mean_direction(&[vec![1.0], vec![0.0]]), None);
    }
}
