//! What a robots.txt (RFC 9309) already forbids, as items for `Cannot`.

/// The groups for a product token as sentences: one for each distinct `Disallow` path, in order.
///
/// Only these rules are read, not matched against addresses, which is why no robots.txt matcher serves here. As RFC
/// 9309 §2.2.1 wants, all groups that name the token count together, and those for `*` only if there is none. A path
/// that is partly allowed again says so.
pub(super) fn cannot(robots_txt: &str, product_token: &str) -> Vec<String> {
    let named = Rules::of(robots_txt, product_token);
    named
        .unwrap_or_else(|| Rules::of(robots_txt, "*").unwrap_or_default())
        .sentences()
}

#[derive(Debug, Default)]
struct Rules<'a> {
    disallow: Vec<&'a str>,
    allow: Vec<&'a str>,
}

impl<'a> Rules<'a> {
    /// `None` if no group is for this agent.
    fn of(robots_txt: &'a str, agent: &str) -> Option<Self> {
        let mut rules = None;
        let mut is_ours = false;
        // Lines with user agents that follow each other begin one group.
        let mut in_agents = false;
        for line in robots_txt
            .trim_start_matches('\u{feff}')
            .split(['\n', '\r'])
        {
            let line = line.split_once('#').map_or(line, |(rule, _comment)| rule);
            let Some((key, value)) = line.split_once(':') else {
                continue;
            };
            let (key, value) = (key.trim(), value.trim());
            if key.eq_ignore_ascii_case("user-agent") {
                is_ours = (in_agents && is_ours) || value.eq_ignore_ascii_case(agent);
                in_agents = true;
                if is_ours {
                    rules.get_or_insert_with(Self::default);
                }
                continue;
            }
            let is_allow = key.eq_ignore_ascii_case("allow");
            if !is_allow && !key.eq_ignore_ascii_case("disallow") {
                // RFC 9309 §2.2.4: other records do not end a group.
                continue;
            }
            in_agents = false;
            if let Some(rules) = rules.as_mut().filter(|_| is_ours && !value.is_empty()) {
                let paths = if is_allow {
                    &mut rules.allow
                } else {
                    &mut rules.disallow
                };
                paths.push(value);
            }
        }
        rules
    }

    fn sentences(mut self) -> Vec<String> {
        self.allow.sort_unstable();
        let mut seen = std::collections::HashSet::new();
        self.disallow.retain(|path| seen.insert(*path));
        let sentence = |path: &&str| {
            // Sorted, what starts with the path stands right behind it.
            let behind = self.allow.partition_point(|allowed| allowed <= path);
            match self.allow.get(behind) {
                Some(allowed) if allowed.starts_with(path) => {
                    format!("Access {path} except where robots.txt allows it")
                }
                _ => format!("Access {path} (see robots.txt)"),
            }
        };
        self.disallow.iter().map(sentence).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_group_of_the_agent_counts_and_the_star_only_without_one() {
        let robots = "\u{feff}User-agent: a\r\nUSER-AGENT: b # both\r\nDisallow: /ab\r\n\r\nuser-agent: *\nDisallow: /all\n\
                      user-agent:A\nsitemap: /x\ndisallow: /a2\n";
        assert_eq!(
            cannot(robots, "a"),
            ["Access /ab (see robots.txt)", "Access /a2 (see robots.txt)"]
        );
        assert_eq!(cannot(robots, "B"), ["Access /ab (see robots.txt)"]);
        assert_eq!(cannot(robots, "c"), ["Access /all (see robots.txt)"]);
        assert_eq!(cannot(robots, "*"), ["Access /all (see robots.txt)"]);
        assert_eq!(cannot("user-agent: a\ndisallow: /", "c"), [""; 0]);
        assert_eq!(cannot("disallow: /before-any-group", "*"), [""; 0]);
    }

    #[test]
    fn a_group_that_allows_all_forbids_nothing() {
        let robots = "user-agent: a\ndisallow:\nuser-agent: *\ndisallow: /";
        assert_eq!(cannot(robots, "a"), [""; 0]);
    }

    #[test]
    fn a_path_that_is_partly_allowed_says_so() {
        let robots = "user-agent: *\ndisallow: /shop\nallow: /shop/public\nallow: /sh\ndisallow: /shop\ndisallow: /x\nallow: /x";
        assert_eq!(
            cannot(robots, "*"),
            [
                "Access /shop except where robots.txt allows it",
                "Access /x (see robots.txt)"
            ],
        );
    }
}
