//! Closures behind a pointer. Not `dyn Fn`: its table holds every closure three times over, to be called by value, by
//! `&mut` and by `&`, and a seventh of the page's functions were ways to call one that nobody takes.

/// A closure that can be called again and again.
pub trait Call<A, R> {
    /// Calls it.
    fn call(&self, with: A) -> R;
}

impl<A, R, F: Fn(A) -> R> Call<A, R> for F {
    fn call(&self, with: A) -> R {
        self(with)
    }
}

/// One that changes what it holds.
pub trait CallMut<A> {
    /// Calls it.
    fn call_mut(&mut self, with: A);
}

impl<A, F: FnMut(A)> CallMut<A> for F {
    fn call_mut(&mut self, with: A) {
        self(with);
    }
}
