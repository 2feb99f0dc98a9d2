//! One `[[variant]]` of a manifest: its keys read into a specification, and what is wrong with them.

use std::path::Path;

use toml::Spanned;
use toml::de::DeValue;

use super::complaints::Complaints;
use super::manifest::Variant;
use crate::spec::{Emit, Spec};

/// Reads one table; complains under the variant's name.
pub(super) struct Reader<'c, 'a> {
    complaints: &'c mut Complaints<'a>,
    manifest: &'c Path,
    /// Where the table starts.
    start: usize,
    /// `variant "memcpy.S"`, or `variant` as long as it has no name.
    subject: String,
}

impl<'c, 'a> Reader<'c, 'a> {
    /// A reader for `table`, which has to be one, of the file `manifest`.
    pub(super) fn new(
        complaints: &'c mut Complaints<'a>,
        manifest: &'c Path,
        table: &Spanned<DeValue<'_>>,
    ) -> Reader<'c, 'a> {
        Reader {
            complaints,
            manifest,
            start: table.span().start,
            subject: "variant".to_owned(),
        }
    }

    /// Notes a problem of this variant at the byte `offset`.
    fn complain(&mut self, offset: usize, message: &str, help: &str) {
        let message = format!("{}: {message}", self.subject);
        self.complaints.add(offset, &message, help);
    }

    /// The variant that `table` holds; `names` are the file names so far and where they stand, and gets one more.
    /// `None` after a complaint.
    pub(super) fn read(
        mut self,
        table: &Spanned<DeValue<'_>>,
        names: &mut Vec<(String, usize)>,
    ) -> Option<Variant> {
        let DeValue::Table(table) = table.get_ref() else {
            self.complain(self.start, "is not a table", "start it with [[variant]]");
            return None;
        };
        // The name first: it stands in front of every complaint.
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| (key.get_ref() != "file", key.span().start));

        let mut file = None;
        let mut note = None;
        let mut spec = Spec::default();
        let mut readable = true;
        let mut seen: Vec<(String, usize)> = Vec::new();
        for (key, value) in entries {
            let (name, offset) = (key.get_ref().replace('_', "-"), key.span().start);
            if seen.iter().any(|(other, _)| *other == name) {
                let message = format!("`{}` is given twice", key.get_ref());
                self.complain(offset, &message, "keep one of the two spellings");
            }
            match name.as_str() {
                "file" => file = self.file(value, names),
                "note" => note = self.note(value),
                _ => readable &= self.set(&mut spec, key, value),
            }
            seen.push((name, offset));
        }
        let place_of = |flag: &str| Some(seen.iter().find(|(name, _)| name == flag)?.1);
        let place = place_of("file").unwrap_or(self.start);
        match &file {
            Some(file) => self.settle_emit(&mut spec, file, place, place_of("emit")),
            None if place_of("file").is_none() => self.complain(
                self.start,
                "has no file name",
                "add a line such as file = \"memcpy_rv64.S\"",
            ),
            None => {}
        }
        // A specification that was only half understood would have problems of its own.
        if !readable {
            return None;
        }
        match crate::generate(&spec) {
            Ok(text) => Some(Variant {
                file: file?,
                note,
                spec,
                text,
            }),
            Err(problems) => {
                for problem in problems.iter() {
                    let message = format!("--{}: {}", problem.flag, problem.message);
                    let place = place_of(problem.flag).unwrap_or(place);
                    self.complain(place, &message, &problem.help);
                }
                None
            }
        }
    }

    /// The file's name from its `value`, a plain one that nobody else has; `None` after a complaint.
    fn file(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        names: &mut Vec<(String, usize)>,
    ) -> Option<String> {
        let offset = value.span().start;
        let Some(name) = value.get_ref().as_str() else {
            let help = "for example file = \"memcpy_rv64.S\"";
            self.complain(offset, "the file name is not a text", help);
            return None;
        };
        self.subject = format!("variant {name:?}");
        let separated = name.contains(['/', '\\']) || name.contains(char::is_control);
        if separated || Path::new(name).file_name() != Some(name.as_ref()) {
            self.complain(
                offset,
                "is not a plain file name",
                "each file stands in the manifest's folder: leave folders out",
            );
            return None;
        }
        if self.manifest.file_name() == Some(name.as_ref()) {
            let help = "give the variant a name of its own";
            self.complain(offset, "is the manifest itself", help);
            return None;
        }
        if let Some((_, first)) = names.iter().find(|(other, _)| other == name) {
            let (line, _) = self.complaints.position(*first);
            let message = format!("the variant at line {line} has this file name too");
            self.complain(offset, &message, "give one of the two another name");
            return None;
        }
        names.push((name.to_owned(), offset));
        Some(name.to_owned())
    }

    /// The note from its `value`; `None` after a complaint.
    fn note(&mut self, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let note = value
            .get_ref()
            .as_str()
            .filter(|note| !note.contains(char::is_control));
        if note.is_none() {
            let help = "say in a few words what the variant is for";
            self.complain(value.span().start, "the note is not a line of text", help);
        }
        note.map(str::to_owned)
    }

    /// Gives `spec` the setting; whether it could be read, else after a complaint.
    fn set(
        &mut self,
        spec: &mut Spec,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
    ) -> bool {
        let name = key.get_ref().as_ref();
        let spelled = plain(value.get_ref(), name == "avoid");
        if value.get_ref().is_array() && spelled.as_deref() == Some("") {
            // No register to avoid is the default.
            return true;
        }
        match spec.set(name, spelled.as_deref().unwrap_or_default()) {
            Err(unknown) if unknown.flag == "key" => {
                let help = format!("{}, and file and note", unknown.help);
                self.complain(key.span().start, &unknown.message, &help);
            }
            _ if spelled.is_none() => {
                let message = format!("`{name}` is neither a text, a number, true nor false");
                let help =
                    "write the value as on the command line; avoid takes a list of texts too";
                self.complain(value.span().start, &message, help);
            }
            Err(problem) => {
                let message = format!("--{}: {}", problem.flag, problem.message);
                self.complain(value.span().start, &message, &problem.help);
            }
            Ok(()) => return true,
        }
        false
    }

    /// Lets the extension of `file` decide what is emitted, unless the key at `given` did; complains, there or at the
    /// file name's `place`, about what does not go together.
    fn settle_emit(&mut self, spec: &mut Spec, file: &str, place: usize, given: Option<usize>) {
        let extension = Path::new(file).extension().and_then(|text| text.to_str());
        let fitting = match extension {
            Some("S") => Some(Emit::Asm),
            Some("rs") => Some(Emit::Rust),
            _ => None,
        };
        match (fitting, given) {
            (Some(fitting), None) => spec.emit = fitting,
            (None, None) => self.complain(
                place,
                "its extension does not say what to emit",
                "name it .S for assembly or .rs for portable Rust, or give `emit`",
            ),
            (_, Some(offset)) if spec.emit == Emit::Obj => self.complain(
                offset,
                "--emit: an object holds no text that could be compared",
                "emit asm, and assemble it where it is used",
            ),
            (Some(Emit::Rust), Some(_)) if spec.emit == Emit::RustAsm => {}
            (Some(fitting), Some(offset)) if spec.emit != fitting => self.complain(
                offset,
                &format!("--emit: {} does not go into {file}", spec.emit),
                &format!("leave it out for {fitting}, or name the file otherwise"),
            ),
            _ => {}
        }
    }
}

/// `value` as the command line spells it, the texts of an array, if there may be one, by comma; `None` for what has no
/// such spelling.
fn plain(value: &DeValue<'_>, array: bool) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.to_string()),
        DeValue::Integer(number) => Some(
            i128::from_str_radix(number.as_str(), number.radix())
                .map_or_else(|_| number.to_string(), |number| number.to_string()),
        ),
        DeValue::Boolean(wanted) => Some(wanted.to_string()),
        DeValue::Array(items) if array => {
            let items: Option<Vec<_>> = items.iter().map(|item| item.get_ref().as_str()).collect();
            Some(items?.join(","))
        }
        _ => None,
    }
}
