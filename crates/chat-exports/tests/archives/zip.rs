//! Makes ZIP files for tests, right and wrong ones.

use miniz_oxide::deflate::compress_to_vec;

/// A file of an archive.
pub struct ZipFile {
    name: Vec<u8>,
    data: Vec<u8>,
    /// What the directory says of the length.
    announced: u64,
    method: u16,
    flags: u16,
    crc: u32,
    is_zip64: bool,
}

/// A file that is deflated.
pub fn packed(name: &str, data: impl Into<Vec<u8>>) -> ZipFile {
    let data = data.into();
    ZipFile {
        name: name.into(),
        announced: data.len() as u64,
        crc: rawzip::crc32(&data),
        data: compress_to_vec(&data, 6),
        method: 8,
        flags: 1 << 11,
        is_zip64: false,
    }
}

/// A file that is stored as it is.
pub fn stored(name: &str, data: impl Into<Vec<u8>>) -> ZipFile {
    let data = data.into();
    ZipFile {
        data: data.clone(),
        method: 0,
        ..packed(name, data)
    }
}

impl ZipFile {
    pub fn encrypted(self) -> Self {
        let flags = self.flags | 1;
        Self { flags, ..self }
    }

    pub fn method(self, method: u16) -> Self {
        Self { method, ..self }
    }

    pub fn announced(self, announced: u64) -> Self {
        Self { announced, ..self }
    }

    pub fn crc(self, crc: u32) -> Self {
        Self { crc, ..self }
    }

    /// With its sizes in the records of ZIP64.
    pub fn zip64(self) -> Self {
        Self {
            is_zip64: true,
            ..self
        }
    }

    /// With checksum and lengths after the data, as programs write that do not know them before.
    pub fn described_after(self) -> Self {
        let flags = self.flags | 8;
        Self { flags, ..self }
    }

    fn extra(&self) -> Vec<u8> {
        if !self.is_zip64 {
            return Vec::new();
        }
        let mut extra = vec![1, 0, 16, 0];
        extra.extend(self.announced.to_le_bytes());
        extra.extend((self.data.len() as u64).to_le_bytes());
        extra
    }

    fn fields(&self, is_local: bool) -> Vec<u8> {
        let is_after = is_local && self.flags & 8 != 0;
        let length = |length: u64| match (is_after, self.is_zip64) {
            (true, _) => 0,
            (_, true) => u32::MAX,
            _ => u32::try_from(length).expect("a small number"),
        };
        let mut fields = Vec::new();
        fields.extend(20_u16.to_le_bytes());
        fields.extend(self.flags.to_le_bytes());
        fields.extend(self.method.to_le_bytes());
        fields.extend([0; 4]);
        fields.extend(if is_after { 0 } else { self.crc }.to_le_bytes());
        fields.extend(length(self.data.len() as u64).to_le_bytes());
        fields.extend(length(self.announced).to_le_bytes());
        fields.extend(
            u16::try_from(self.name.len())
                .expect("a small number")
                .to_le_bytes(),
        );
        fields.extend(
            u16::try_from(self.extra().len())
                .expect("a small number")
                .to_le_bytes(),
        );
        fields
    }
}

/// The archive of these files.
pub fn zip(files: &[ZipFile]) -> Vec<u8> {
    let (mut archive, mut directory) = (Vec::new(), Vec::new());
    for file in files {
        let at = u32::try_from(archive.len()).expect("a small number");
        archive.extend(b"PK\x03\x04");
        archive.extend(file.fields(true));
        archive.extend(&file.name);
        archive.extend(file.extra());
        archive.extend(&file.data);
        if file.flags & 8 != 0 {
            archive.extend(b"PK\x07\x08");
            archive.extend(file.crc.to_le_bytes());
            archive.extend(
                u32::try_from(file.data.len())
                    .expect("a small number")
                    .to_le_bytes(),
            );
            archive.extend(
                u32::try_from(file.announced)
                    .expect("a small number")
                    .to_le_bytes(),
            );
        }
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(file.fields(false));
        directory.extend([0; 10]);
        directory.extend(at.to_le_bytes());
        directory.extend(&file.name);
        directory.extend(file.extra());
    }
    let at = archive.len() as u64;
    let length = directory.len() as u64;
    archive.extend(directory);
    let count = files.len() as u64;
    if files.iter().any(|file| file.is_zip64) {
        let end = archive.len() as u64;
        archive.extend(b"PK\x06\x06");
        archive.extend(44_u64.to_le_bytes());
        archive.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for number in [count, count, length, at] {
            archive.extend(number.to_le_bytes());
        }
        archive.extend(b"PK\x06\x07\0\0\0\0");
        archive.extend(end.to_le_bytes());
        archive.extend(1_u32.to_le_bytes());
    }
    archive.extend(b"PK\x05\x06\0\0\0\0");
    let count = u16::try_from(count).expect("a small number");
    archive.extend(count.to_le_bytes());
    archive.extend(count.to_le_bytes());
    archive.extend(u32::try_from(length).expect("a small number").to_le_bytes());
    archive.extend(u32::try_from(at).expect("a small number").to_le_bytes());
    archive.extend([0, 0]);
    archive
}
