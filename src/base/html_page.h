// The frame of every page we write: one file that needs nothing else.
//
// A page carries its style, pictures and sounds inside itself, and its content security policy
// forbids scripts and every network request, so a report opened from disk can neither run what
// a transcript says nor tell anybody that it was opened.
#pragma once

#include <string>
#include <string_view>

namespace xtts::base {

// Text made safe for element content and for quoted attributes. Control characters, and every
// non-ASCII byte of text that is not UTF-8, become U+FFFD.
std::string escape_html(std::string_view text);

// RFC 4648 with padding, without line breaks.
std::string base64(std::string_view bytes);

// "data:image/png;base64,...", for src attributes.
std::string data_uri(std::string_view media_type, std::string_view bytes);

// A player with its label above; `of` completes its name for those who cannot see it.
std::string audio_player(std::string_view label, std::string_view of, std::string_view wav);

// A picture inside of its figure; `caption` stands below it unless it is empty.
std::string picture(std::string_view description, std::string_view png, std::string_view caption);

std::string page_footer();  // who wrote it

struct HtmlPage {
  std::string title;            // plain text
  std::string lead;             // plain text, one sentence under the title
  std::string language = "en";  // of the page itself, not of the transcripts in it
  std::string body;             // markup, already escaped
};

// The whole document: light and dark by the reader's system, usable from 320 px upwards.
std::string render(const HtmlPage& page);

}  // namespace xtts::base
