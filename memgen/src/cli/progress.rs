//! A progress bar on a terminal, nothing anywhere else.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Counts cases on standard error.
pub(super) struct Bar(ProgressBar);

impl Bar {
    /// A bar that stays hidden unless standard error is a terminal.
    pub(super) fn new() -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style =
            ProgressStyle::with_template("{bar:40} {human_pos} of {human_len} cases, {eta} left")
                .expect("the template is well formed");
        bar.set_style(style);
        Bar(bar)
    }

    /// Shows `done` of `total`.
    pub(super) fn set(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }

    /// Takes the bar off the screen.
    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }
}
