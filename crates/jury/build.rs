//! Compiles what has to run before `main`: see `src/closed_stdout.c`.

fn main() {
    let file = "src/closed_stdout.c";
    println!("cargo:rerun-if-changed={file}");
    // The object itself is linked: nothing refers to it, so a library of it would be left out.
    for object in cc::Build::new().file(file).compile_intermediates() {
        println!("cargo:rustc-link-arg-bins={}", object.display());
    }
}
