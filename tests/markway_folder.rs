//! A folder as the inner service of a static MarkWay site, through its public interface.
#![cfg(feature = "markway")]

use http::header::{self, HeaderMap};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt;
use markdown_for_agents::markway::{Address, Document, Language, ServeFolder, Site, check_index};
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use tower::ServiceExt;

/// A folder with these files, by their paths and contents.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, content) in files {
        write(root.path(), path, content);
    }
    root
}

fn write(root: &Path, path: &str, content: &str) {
    let file = root.join(path);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

fn serve(root: &TempDir) -> ServeFolder {
    ServeFolder::new(root.path())
        .unwrap()
        .in_language(Language::English)
}

#[derive(Debug)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
}

impl Answer {
    fn header(&self, name: header::HeaderName) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }
}

async fn request(service: &ServeFolder, request: Request<()>) -> Answer {
    let response = service.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    Answer {
        status: parts.status,
        headers: parts.headers,
        text: String::from_utf8(bytes.to_vec()).unwrap(),
    }
}

async fn get(service: &ServeFolder, path: &str) -> Answer {
    request(service, Request::get(path).body(()).unwrap()).await
}

/// Addresses and descriptions of an index that breaks no rule.
#[track_caller]
fn rows(index: &str) -> Vec<(String, String)> {
    let site =
        Site::static_site("https://example.com".parse().unwrap()).in_language(Language::English);
    let answer = site.answer(index);
    assert_eq!(check_index(&answer), [], "{answer}");
    let document = Document::parse(&answer).unwrap();
    document
        .entries()
        .iter()
        .map(|entry| (entry.address().to_owned(), entry.description().to_owned()))
        .collect()
}

#[tokio::test]
async fn every_directory_without_an_index_gets_one_that_describes_its_pages() {
    let root = folder(&[
        (
            "getting-started.md",
            "# Getting started\n\nInstall | configure.\n\nMore.\n",
        ),
        (
            "matter.md",
            "---\ntitle: \"From matter\"\ndescription: 'What it''s about'\n---\n\nNo heading.\n",
        ),
        ("plain.md", "Just text.\n"),
        ("empty.md", ""),
        ("api/reference.md", "# Reference\n"),
        ("api/index.md", "# API\n\nAll interfaces.\n"),
        ("examples/tutorial.md", "# Tutorial\n"),
        ("logo.png", "png"),
    ]);
    let answer = get(&serve(&root), "/index.md").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(
        answer.header(header::CONTENT_TYPE),
        Some("text/markdown; charset=utf-8")
    );
    assert_eq!(
        answer.text,
        "# Contents\n\n| Address | Description |\n|------|------|\n\
         | ./empty.md | empty |\n\
         | ./getting-started.md | Getting started: Install \\| configure. |\n\
         | ./matter.md | From matter: What it's about |\n\
         | ./plain.md | plain: Just text. |\n\
         | ./api/index.md | API: All interfaces. |\n\
         | ./examples/index.md | examples |\n"
    );
    let answer = get(&serve(&root), "/examples/index.md").await;
    assert_eq!(
        answer.text,
        "# examples\n\n| Address | Description |\n|------|------|\n| ./tutorial.md | Tutorial |\n"
    );
    let answer = get(&serve(&root), "/api/index.md").await;
    assert_eq!(answer.text, "# API\n\nAll interfaces.\n");
}

#[tokio::test]
async fn the_words_of_an_index_are_those_of_its_language() {
    let root = folder(&[("a.md", "# 标题\n\n说明文字\n"), ("b/c.md", "")]);
    let service = ServeFolder::new(root.path()).unwrap();
    let answer = get(&service, "/index.md").await;
    assert_eq!(
        answer.text,
        "# 目录\n\n| 地址 | 说明 |\n|------|------|\n| ./a.md | 标题：说明文字 |\n| ./b/index.md | b |\n"
    );
    assert_eq!(
        get(&service, "/x.md").await.text,
        "# 404 Not Found\n\n该地址没有内容。\n"
    );
}

#[tokio::test]
async fn html_pages_are_listed_under_addresses_that_lead_to_them() {
    let root = folder(&[
        ("index.html", "<title>Home</title><h1>Home</h1>"),
        ("a.html", "<h1>A</h1>"),
        ("b.html", "<h1>B</h1>"),
        ("b.md", "# Other B\n"),
        ("c.html", "<h1>C</h1>"),
        ("c/page.md", "# Below C\n"),
        ("d.html", "<h1>D</h1>"),
        ("d", "a file of the same name"),
        ("e.htm", "<h1>E</h1>"),
    ]);
    let site = Site::static_site("https://example.com".parse().unwrap());
    let rows = rows(&get(&serve(&root), "/index.md").await.text);
    let addresses: Vec<_> = rows.iter().map(|(address, _)| address.as_str()).collect();
    assert_eq!(
        addresses,
        [
            "./a.md",
            "./b.html.md",
            "./c.html.md",
            "./d.html.md",
            "./index.html.md",
            "./b.md",
            "./c/index.md"
        ]
    );
    for (address, file) in [
        ("/a.md", "/a.html"),
        ("/b.html.md", "/b.html"),
        ("/c.html.md", "/c.html"),
        ("/d.html.md", "/d.html"),
    ] {
        let mut answered = Vec::new();
        for path in site.inner_paths(address).unwrap() {
            if get(&serve(&root), &path).await.status == StatusCode::OK {
                answered.push(path);
            }
        }
        assert_eq!(answered, [file], "{address}");
    }
}

#[tokio::test]
async fn names_with_blanks_percents_hashes_pipes_and_chinese_characters_can_be_requested_as_listed()
{
    let names = [
        "with blank.md",
        "100%.md",
        "#1.md",
        "a|b.md",
        "中文.md",
        "_under_.md",
        "q?.md",
        "a&amp;b.md",
        "[x](y).md",
        "`c`.md",
        "*s*.md",
        "%41.md",
        "semi;colon:.md",
        "'quotes\".md",
        "~t~.md",
        "<b>.md",
        "$m$.md",
        "plus+.md",
        " edge .md",
        "é.md",
    ];
    let root = folder(&[]);
    for name in names {
        write(root.path(), name, &format!("# Title of {name}\n"));
        write(root.path(), &format!("dir {name}/x.md"), "# X\n");
    }
    let service = serve(&root);
    let base = "https://example.com".parse().unwrap();
    let page = "https://example.com/index.md".parse().unwrap();
    let listed = rows(&get(&service, "/index.md").await.text);
    assert_eq!(listed.len(), 2 * names.len());
    let mut contents = Vec::new();
    for (address, _) in listed {
        let url = address
            .parse::<Address>()
            .unwrap()
            .resolve(&base, &page)
            .unwrap();
        let answer = get(&service, url.path()).await;
        assert_eq!(
            (answer.status, url.query(), url.fragment()),
            (StatusCode::OK, None, None),
            "{address}"
        );
        if !address.ends_with("/index.md") {
            contents.push(answer.text);
        } else {
            assert_eq!(
                rows(&answer.text),
                [("./x.md".to_owned(), "X".to_owned())],
                "{address}"
            );
        }
    }
    let mut expected: Vec<_> = names
        .iter()
        .map(|name| format!("# Title of {name}\n"))
        .collect();
    expected.sort();
    contents.sort();
    assert_eq!(contents, expected);
}

#[tokio::test]
async fn nothing_outside_the_root_is_served_by_any_path() {
    let parent = folder(&[
        ("secret.md", "# Secret\n"),
        ("site/a.md", "# A\n"),
        ("site/dir/b.md", "# B\n"),
    ]);
    let service = ServeFolder::new(parent.path().join("site"))
        .unwrap()
        .in_language(Language::English);
    for path in [
        "/../secret.md",
        "/dir/../../secret.md",
        "/%2e%2e/secret.md",
        "/%2E%2E%2Fsecret.md",
        "/..%2fsecret.md",
        "/..%5csecret.md",
        "/dir/..%2f..%2fsecret.md",
        "/./a.md",
        "//etc/passwd",
        "/%2Fetc/passwd",
        "/a%00.md",
        "/a.md%00",
        "/a%zz.md",
    ] {
        let answer = get(&service, path).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
        assert_eq!(
            answer.header(header::CONTENT_TYPE),
            Some("text/markdown; charset=utf-8"),
            "{path}"
        );
        assert!(
            answer
                .text
                .starts_with("# 400 Bad Request\n\nThe address must not have ")
                || path == "/a%zz.md",
            "{path}: {}",
            answer.text
        );
    }
    for path in [
        "/secret.md",
        "/%252e%252e/secret.md",
        "/etc/passwd",
        "/a.md/",
        "/a.md/index.md",
        "/no/index.md",
        "/no/",
    ] {
        assert_eq!(
            get(&service, path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

#[cfg(unix)]
#[tokio::test]
async fn symbolic_links_out_of_the_root_do_not_exist() {
    use std::os::unix::fs::symlink;
    let parent = folder(&[
        ("secret.md", "# Secret\n"),
        ("private/x.md", "# X\n"),
        ("site/a.md", "# A\n"),
        ("site/dir/b.md", "# B\n"),
    ]);
    let site = parent.path().join("site");
    symlink(parent.path().join("secret.md"), site.join("absolute.md")).unwrap();
    symlink("../secret.md", site.join("relative.md")).unwrap();
    symlink("../private", site.join("outside")).unwrap();
    symlink("/", site.join("everything")).unwrap();
    symlink("loop.md", site.join("loop.md")).unwrap();
    symlink("gone.md", site.join("dangling.md")).unwrap();
    symlink("dir/b.md", site.join("inside.md")).unwrap();
    symlink("dir", site.join("alias")).unwrap();
    let service = ServeFolder::new(&site)
        .unwrap()
        .in_language(Language::English);
    for path in [
        "/absolute.md",
        "/relative.md",
        "/outside/x.md",
        "/outside/",
        "/outside/index.md",
        "/everything/etc/passwd",
        "/dangling.md",
    ] {
        let answer = get(&service, path).await;
        assert_eq!(
            (answer.status, answer.text.as_str()),
            (
                StatusCode::NOT_FOUND,
                "# 404 Not Found\n\nNothing is at this address.\n"
            ),
            "{path}"
        );
    }
    let answer = get(&service, "/loop.md").await;
    assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!(
        answer.text,
        "# 500 Internal Server Error\n\nThe server could not read what is at this address.\n"
    );
    assert_eq!(get(&service, "/inside.md").await.text, "# B\n");
    assert_eq!(get(&service, "/alias/b.md").await.text, "# B\n");
    let listed: Vec<_> = rows(&get(&service, "/index.md").await.text)
        .into_iter()
        .map(|(address, _)| address)
        .collect();
    assert_eq!(
        listed,
        [
            "./a.md",
            "./inside.md",
            "./alias/index.md",
            "./dir/index.md"
        ]
    );
}

#[tokio::test]
async fn hidden_files_are_neither_served_nor_listed() {
    let root = folder(&[
        (".env", "secret"),
        (".git/config", "secret"),
        ("dir/.hidden.md", "# H\n"),
        ("dir/.h/x.md", "# X\n"),
        ("a.md", "# A\n"),
    ]);
    let service = serve(&root);
    for path in [
        "/.env",
        "/.git/config",
        "/.git/",
        "/.git/index.md",
        "/dir/.hidden.md",
        "/dir/.h/x.md",
        "/%2eenv",
        "/%2Egit/config",
    ] {
        assert_eq!(
            get(&service, path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    assert_eq!(
        rows(&get(&service, "/index.md").await.text),
        [
            ("./a.md".into(), "A".into()),
            ("./dir/index.md".into(), "dir".into())
        ]
    );
    assert_eq!(rows(&get(&service, "/dir/index.md").await.text), []);
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_may_not_be_read_is_forbidden_and_still_listed() {
    use std::os::unix::fs::PermissionsExt;
    let root = folder(&[("locked.md", "# Locked\n"), ("a.md", "# A\n")]);
    let locked = root.path().join("locked.md");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).unwrap();
    let service = serve(&root);
    let answer = get(&service, "/locked.md").await;
    let listed = rows(&get(&service, "/index.md").await.text);
    // Nothing is locked for the superuser.
    let (status, text, description) = match fs::read(&locked) {
        Err(_) => (
            StatusCode::FORBIDDEN,
            "# 403 Forbidden\n\nThe server may not read what is at this address.\n",
            "locked",
        ),
        Ok(_) => (StatusCode::OK, "# Locked\n", "Locked"),
    };
    assert_eq!((answer.status, answer.text.as_str()), (status, text));
    assert_eq!(
        listed,
        [
            ("./a.md".into(), "A".into()),
            ("./locked.md".into(), description.into())
        ]
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_pipe_does_not_hold_the_request() {
    let root = folder(&[("a.md", "# A\n")]);
    let made = std::process::Command::new("mkfifo")
        .arg(root.path().join("pipe.md"))
        .status()
        .unwrap();
    assert!(made.success());
    let service = serve(&root);
    assert_eq!(
        get(&service, "/pipe.md").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        rows(&get(&service, "/index.md").await.text),
        [("./a.md".into(), "A".into())]
    );
}

#[tokio::test]
async fn a_directory_is_its_html_or_else_its_index() {
    let root = folder(&[
        ("with/index.html", "<h1>With</h1>"),
        ("without/a.md", "# A\n"),
    ]);
    let service = serve(&root);
    let answer = get(&service, "/with/").await;
    assert_eq!(
        (answer.header(header::CONTENT_TYPE), answer.text.as_str()),
        (Some("text/html"), "<h1>With</h1>")
    );
    let index = "# without\n\n| Address | Description |\n|------|------|\n| ./a.md | A |\n";
    for path in ["/without/", "/without/index.md"] {
        assert_eq!(get(&service, path).await.text, index, "{path}");
    }
    let answer = get(&service, "/without").await;
    assert_eq!(
        (answer.status, answer.header(header::LOCATION)),
        (StatusCode::TEMPORARY_REDIRECT, Some("/without/"))
    );
}

#[tokio::test]
async fn a_made_index_has_a_validator_and_a_head() {
    let root = folder(&[("a.md", "# A\n")]);
    let service = serve(&root);
    let full = get(&service, "/index.md").await;
    let tag = full.header(header::ETAG).unwrap().to_owned();
    let names: Vec<_> = full.headers.keys().map(|name| name.as_str()).collect();
    assert_eq!(names, ["content-type", "content-length", "etag"]);
    assert_eq!(
        full.header(header::CONTENT_LENGTH),
        Some(full.text.len().to_string().as_str())
    );

    let head = request(&service, Request::head("/index.md").body(()).unwrap()).await;
    assert_eq!(
        (head.status, &head.headers, head.text.as_str()),
        (StatusCode::OK, &full.headers, "")
    );

    for condition in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let again = request(
            &service,
            Request::get("/index.md")
                .header(header::IF_NONE_MATCH, &condition)
                .body(())
                .unwrap(),
        )
        .await;
        assert_eq!(
            (again.status, again.text.as_str()),
            (StatusCode::NOT_MODIFIED, ""),
            "{condition}"
        );
        assert_eq!(again.header(header::ETAG), Some(tag.as_str()));
    }
    write(root.path(), "b.md", "# B\n");
    let changed = request(
        &service,
        Request::get("/index.md")
            .header(header::IF_NONE_MATCH, &tag)
            .body(())
            .unwrap(),
    )
    .await;
    assert_eq!(changed.status, StatusCode::OK);
    assert_ne!(changed.header(header::ETAG), Some(tag.as_str()));
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    let root = folder(&[("a.md", "# A\n")]);
    for path in ["/a.md", "/index.md", "/", "/none.md"] {
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            let answer = request(
                &serve(&root),
                Request::builder()
                    .method(&method)
                    .uri(path)
                    .body(())
                    .unwrap(),
            )
            .await;
            assert_eq!(
                (answer.status, answer.header(header::ALLOW)),
                (StatusCode::METHOD_NOT_ALLOWED, Some("GET,HEAD")),
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn files_keep_their_types_validators_and_ranges() {
    let root = folder(&[("a.md", "0123456789"), ("b.css", "p{}")]);
    let service = serve(&root);
    let answer = request(
        &service,
        Request::get("/a.md")
            .header(header::RANGE, "bytes=2-4")
            .body(())
            .unwrap(),
    )
    .await;
    assert_eq!(
        (answer.status, answer.text.as_str()),
        (StatusCode::PARTIAL_CONTENT, "234")
    );
    assert_eq!(
        answer.header(header::CONTENT_TYPE),
        Some("text/markdown; charset=utf-8")
    );
    assert_eq!(answer.header(header::CONTENT_RANGE), Some("bytes 2-4/10"));
    let answer = get(&service, "/b.css").await;
    assert_eq!(
        (answer.header(header::CONTENT_TYPE), answer.text.as_str()),
        (Some("text/css"), "p{}")
    );
    let tag = answer.header(header::ETAG).unwrap().to_owned();
    let again = request(
        &service,
        Request::get("/b.css")
            .header(header::IF_NONE_MATCH, tag)
            .body(())
            .unwrap(),
    )
    .await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn a_folder_that_is_none_is_an_error_at_once() {
    let root = folder(&[("a.md", "# A\n")]);
    assert!(ServeFolder::new(root.path().join("none")).is_err());
    assert!(ServeFolder::new(root.path().join("a.md")).is_err());
}
