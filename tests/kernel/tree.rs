//! The kernel's tree, and builds beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, MutexGuard};

use crate::support::{announce, spec};

/// Programs that the kernel's build needs here, and the Debian packages they are in.
const TOOLS: [(&str, &str); 7] = [
    ("riscv64-linux-gnu-gcc", "gcc-riscv64-linux-gnu"),
    ("gcc", "gcc"),
    ("make", "make"),
    ("flex", "flex"),
    ("bison", "bison"),
    ("bc", "bc"),
    ("xz", "xz-utils"),
];

/// Where Debian's package linux-source-6.1 puts the tree.
const TARBALL: &str = "/usr/src/linux-source-6.1.tar.xz";

/// The tree, or what is missing; looked for once.
static TREE: LazyLock<Result<PathBuf, String>> = LazyLock::new(find);

fn find() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let absent = |tool: &str| !std::env::split_paths(&path).any(|dir| dir.join(tool).is_file());
    let mut missing: Vec<String> = TOOLS
        .iter()
        .filter(|(tool, _)| absent(tool))
        .map(|(tool, package)| format!("{tool} (Debian package {package})"))
        .collect();
    let given = std::env::var_os("MEMGEN_LINUX_TREE");
    if given.is_none() && !Path::new(TARBALL).is_file() {
        missing.push(format!(
            "{TARBALL} (Debian package linux-source-6.1), or a tree named by MEMGEN_LINUX_TREE"
        ));
    }
    if !missing.is_empty() {
        return Err(missing.join("\n  "));
    }
    match given {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => Ok(unpacked()),
    }
}

/// The tree from Debian's package, unpacked when a run needs it first.
fn unpacked() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linux");
    let tree = folder.join("linux-source-6.1");
    if !tree.is_dir() {
        let fresh = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linux-unpacking");
        let _ = fs::remove_dir_all(&fresh);
        fs::create_dir_all(&fresh).unwrap();
        let mut tar = Command::new("tar");
        run(tar.arg("-xf").arg(TARBALL).arg("-C").arg(&fresh));
        let _ = fs::remove_dir_all(&folder);
        fs::rename(&fresh, &folder).unwrap();
    }
    tree
}

/// The tree. If it or a tool is missing, says so, or panics if they are required.
pub(crate) fn tree() -> Option<&'static Path> {
    let missing = match &*TREE {
        Ok(tree) => return Some(tree),
        Err(missing) => missing,
    };
    if std::env::var_os("MEMGEN_REQUIRE_TOOLS").is_some_and(|value| value == "1") {
        panic!("MEMGEN_REQUIRE_TOOLS=1, but there is no\n  {missing}");
    }
    announce(&format!(
        "\n*** SKIPPED: nothing was built in the kernel's tree. Missing:\n  {missing}\n\
         *** Install these, and set MEMGEN_REQUIRE_TOOLS=1 to fail without them.\n"
    ));
    None
}

/// Runs a command to its end; panics with what it said if it fails.
pub(crate) fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{command:?}: {said}");
    said
}

/// The file that `memgen FLAGS` makes.
pub(crate) fn emitted(flags: &str) -> String {
    memgen::generate(&spec(flags)).unwrap_or_else(|error| panic!("{flags}: {error}"))
}

/// One build at a time: they share folders.
static BUILDING: Mutex<()> = Mutex::new(());

/// A folder in which a kernel is built; its files come before the tree's.
pub(crate) struct Build {
    tree: &'static Path,
    pub(crate) folder: PathBuf,
    pub(crate) xlen: u32,
    _alone: MutexGuard<'static, ()>,
}

impl Build {
    /// A configured build that holds the tree's own files alone; `None` if there is no tree.
    pub(crate) fn configured(name: &str, xlen: u32) -> Option<Build> {
        let tree = tree()?;
        let alone = BUILDING
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        let build = Build {
            tree,
            folder: Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("kernel-{name}-{xlen}")),
            xlen,
            _alone: alone,
        };
        let _ = fs::remove_dir_all(build.folder.join("arch/riscv/lib"));
        fs::create_dir_all(build.folder.join("arch/riscv/lib")).unwrap();
        let config = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/kernel/config");
        if !build.folder.join(".config").is_file() {
            let mut make = build.make();
            make.arg(format!("KCONFIG_ALLCONFIG={config}"))
                .arg("tinyconfig");
            if xlen == 32 {
                make.arg("32-bit.config");
            }
            run(&mut make);
        }
        Some(build)
    }

    fn make(&self) -> Command {
        let mut make = Command::new("make");
        // What cargo sets for its own children is not meant for this one.
        make.env_remove("MAKEFLAGS").env_remove("MFLAGS");
        make.arg("-C").arg(self.tree);
        make.arg(format!("O={}", self.folder.display()));
        make.args(["ARCH=riscv", "CROSS_COMPILE=riscv64-linux-gnu-"]);
        make
    }

    /// Makes the kernel.
    pub(crate) fn image(&self) -> PathBuf {
        run(self.make().args(["-j2", "Image"]));
        self.folder.join("arch/riscv/boot/Image")
    }

    /// Puts a file in the place of the tree's `arch/riscv/lib/NAME`.
    pub(crate) fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.join("arch/riscv/lib").join(name), text).unwrap();
    }

    /// Puts user copies of these flags, both directions in one, and a clear_user in the place of uaccess.S.
    pub(crate) fn put_user_copies(&self, flags: &str) {
        let common = format!("--xlen {} --dialect linux --linux 6.1 {flags}", self.xlen);
        let copy = emitted(&format!("--op copy_from_user --user both {common}"));
        self.put("copy_user.S", &copy);
        self.put(
            "clear_user.S",
            &emitted(&format!("--op clear_user {common}")),
        );
        let both = "#include \"copy_user.S\"\n#include \"clear_user.S\"\n";
        self.put("uaccess.S", both);
    }

    /// The object that the kernel's makefiles make of `arch/riscv/lib/NAME.S`.
    pub(crate) fn object(&self, name: &str) -> Vec<u8> {
        let object = format!("arch/riscv/lib/{name}.o");
        let _ = fs::remove_file(self.folder.join(&object));
        // One job: asked for one object, the makefiles make it in two ways at a time.
        run(self.make().arg(&object));
        fs::read(self.folder.join(&object)).unwrap()
    }
}
