//! Command line arguments of the examples, taken one by one. A mistake ends the program with a
//! message and exit code 2.

use std::{env, fmt::Display, process::exit, str::FromStr, vec};

pub(crate) struct Arguments {
    rest: vec::IntoIter<String>,
    usage: &'static str,
}

impl Arguments {
    /// The arguments of this process. `--help` prints the usage and ends it.
    pub(crate) fn from_env(usage: &'static str) -> Self {
        let mut arguments = Vec::new();
        for argument in env::args_os().skip(1) {
            match argument.into_string() {
                Ok(argument) => arguments.push(argument),
                Err(bytes) => fail(&format!("the argument {bytes:?} is not UTF-8"), usage),
            }
        }
        if arguments
            .iter()
            .any(|argument| argument == "--help" || argument == "-h")
        {
            println!("{}", usage.trim_end());
            exit(0);
        }
        Self {
            rest: arguments.into_iter(),
            usage,
        }
    }

    /// The next option or operand, as it was written.
    pub(crate) fn next(&mut self) -> Option<String> {
        self.rest.next()
    }

    /// The value that follows `option`.
    pub(crate) fn value<T>(&mut self, option: &str) -> T
    where
        T: FromStr<Err: Display>,
    {
        let Some(value) = self.rest.next() else {
            fail(&format!("{option} needs a value"), self.usage)
        };
        value
            .parse()
            .unwrap_or_else(|error| fail(&format!("{option} {value}: {error}"), self.usage))
    }

    /// Ends the program: `argument` is not one of this program's.
    pub(crate) fn refuse(&self, argument: &str) -> ! {
        fail(&format!("unexpected argument {argument}"), self.usage)
    }
}

fn fail(message: &str, usage: &str) -> ! {
    eprintln!("error: {message}\n\n{}", usage.trim_end());
    exit(2);
}
