//! The table.

use crate::{contenders::Contender, pages::Group};

pub fn print(group: &Group, contenders: &[Contender], seconds: &[f64]) {
    let bytes = group.bytes() as f64;
    println!(
        "\n{}: {} pages, {:.2} MB",
        group.name,
        group.pages.len(),
        bytes / 1e6
    );
    println!("{:<42} {:>9} {:>9}", "", "MB/s", "ours is");
    let ours = seconds[0];
    for (contender, seconds) in contenders.iter().zip(seconds) {
        println!(
            "{:<42} {:>9.1} {:>7.2} x",
            contender.name,
            bytes / seconds / 1e6,
            seconds / ours
        );
    }
}
