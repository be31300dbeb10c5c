// Self-contained HTML pages for reports.
//
// Style, images and audio are embedded. The content security policy forbids scripts and network
// requests, so that text from a transcript cannot run code or load remote content.
#pragma once

#include <string>
#include <string_view>

namespace myxtts::base {

// Escapes text for element content and quoted attributes. Control characters, and every non-ASCII
// byte of text that is not UTF-8, become U+FFFD.
std::string escape_html(std::string_view text);

// Encodes bytes by RFC 4648 with padding, without line breaks.
std::string base64(std::string_view bytes);

// Returns "data:image/png;base64,..." for src attributes.
std::string data_uri(std::string_view media_type, std::string_view bytes);

// Returns an audio player with a label. Screen readers get "`label` of `subject`".
std::string audio_player(std::string_view label, std::string_view subject, std::string_view wav);

// Returns a figure with an image and, unless it is empty, a caption.
std::string picture(std::string_view description, std::string_view png, std::string_view caption);

std::string page_footer();  // names the program and its version

struct HtmlPage {
  std::string title;            // plain text
  std::string lead;             // plain text, one sentence under the title
  std::string language = "en";  // language of the page, not of its transcripts
  std::string body;             // markup, already escaped
};

// Returns the whole document. It follows the light or dark scheme and fits screens from 320 px.
std::string render(const HtmlPage& page);

}  // namespace myxtts::base
