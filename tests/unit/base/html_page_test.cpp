#include "base/html_page.h"

#include <gtest/gtest.h>

namespace myxtts::base {
namespace {

TEST(HtmlPage, EscapesMarkupCharacters) {
  EXPECT_EQ(escape_html("<b title=\"x\" class='y'>a & b</b>"),
            "&lt;b title=&quot;x&quot; class=&#39;y&#39;&gt;a &amp; b&lt;/b&gt;");
}

TEST(HtmlPage, KeepsUtf8Text) {
  EXPECT_EQ(escape_html("\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 caf\xC3\xA9\n"),
            "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85 caf\xC3\xA9\n");
}

TEST(HtmlPage, ReplacesControlAndInvalidBytes) {
  EXPECT_EQ(escape_html(std::string_view("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(escape_html("caf\xE9"), "caf\xEF\xBF\xBD");
}

// Test vectors of RFC 4648.
TEST(HtmlPage, EncodesBase64) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
  EXPECT_EQ(data_uri("image/png", "foo"), "data:image/png;base64,Zm9v");
}

TEST(HtmlPage, AllowsNoScriptsAndNoNetworkRequests) {
  HtmlPage page;
  page.title = "<script>alert(1)</script>";
  page.lead = "<img src=x onerror=alert(1)>";
  page.body = "<p>body</p>";

  const std::string html = render(page);

  EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(html.find("<p>body</p>"), std::string::npos);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("http:"), std::string::npos);
  EXPECT_EQ(html.find("https:"), std::string::npos);
}

}  // namespace
}  // namespace myxtts::base
