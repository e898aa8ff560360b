//! Whether the gateway makes the site a MarkWay site, and which.

use markdown_for_agents::MarkdownForAgentsLayer;
use markdown_for_agents::markway::{BaseUrl, BaseUrlError, Language, MarkWayLayer, Mode};

#[derive(Debug, Default)]
pub(crate) struct Choice {
    mode: Option<Mode>,
    language: Language,
}

impl Choice {
    /// Whether the command line option is one of this choice's.
    pub(crate) fn takes(&mut self, option: &str) -> bool {
        match option {
            "--markway-static" => self.mode = Some(Mode::Static),
            "--markway-dynamic" => self.mode = Some(Mode::Dynamic),
            "--english" => self.language = Language::English,
            _ => return false,
        }
        true
    }

    /// The layer that makes the site at `url` what was chosen, if anything was.
    pub(crate) fn layer(
        &self,
        url: &str,
        converter: MarkdownForAgentsLayer,
    ) -> Result<Option<MarkWayLayer>, BaseUrlError> {
        let Some(mode) = self.mode else {
            return Ok(None);
        };
        let base: BaseUrl = url.parse()?;
        let layer = match mode {
            Mode::Static => MarkWayLayer::static_site(base),
            Mode::Dynamic => MarkWayLayer::dynamic(base),
        };
        Ok(Some(layer.language(self.language).converter(converter)))
    }
}
