//! Prints the licences of the grammars, which are no crates: a release has them beside those of the crates.

fn main() {
    print!("{}", two_face::acknowledgement::listing().to_md());
}
