// yaml-cpp parses; its events build the tree here, so that the limits hold while it parses. Its
// own tree would first expand aliases and nest as deep as its stack allows.

#include "config/yaml_tree.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "base/error.h"
#include "base/utf8.h"

namespace xtts::config {
namespace {

class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string source) : source_(std::move(source)) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (seen_document_) refuse(mark, "a second document starts here; expected only one");
    seen_document_ = true;
  }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    refuse(mark, "aliases (*name) are not accepted; write the value out");
  }
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    refuse(mark, fmt::format("anchors (&{}) are not accepted; write the value out", name));
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    add(mark, open_node(mark, YamlNode::Kind::kNull));
  }
  void OnScalar(const YAML::Mark& mark,
                const std::string& tag,
                YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    YamlNode node = open_node(mark, YamlNode::Kind::kScalar);
    node.quoted = tag == "!";  // what yaml-cpp says of quotes
    if (!node.quoted) refuse_tag(mark, tag);
    node.text = value;
    add(mark, std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark,
                       const std::string& tag,
                       YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    begin(mark, tag, YamlNode::Kind::kSequence);
  }
  void OnMapStart(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    begin(mark, tag, YamlNode::Kind::kMap);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapEnd() override { end(); }

  YamlNode take_root() { return std::move(root_); }

 private:
  // A sequence or map that is still growing.
  struct Frame {
    YamlNode node;
    std::optional<YamlNode> key;  // of a map: read, its value not yet
    std::set<std::string> keys;
  };

  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& what) const {
    throw UsageError(fmt::format("{}:{}: {}", source_, mark.line + 1, what));
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?") refuse(mark, fmt::format("tags ({}) are not accepted", tag));
  }

  YamlNode open_node(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (++num_nodes_ > kMaxYamlNodes) {
      refuse(mark, fmt::format("more than {} values; a configuration has fewer", kMaxYamlNodes));
    }
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    return node;
  }

  void begin(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind) {
    refuse_tag(mark, tag);
    if (open_.size() == kMaxYamlDepth) {
      refuse(mark, fmt::format("nested deeper than {} levels", kMaxYamlDepth));
    }
    open_.push_back(Frame{open_node(mark, kind), std::nullopt, {}});
  }

  void end() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    YAML::Mark mark;
    mark.line = node.line - 1;
    add(mark, std::move(node));
  }

  void add(const YAML::Mark& mark, YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Frame& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kMap) {
      if (!parent.key) {
        begin_entry(mark, parent, std::move(node));
        return;
      }
      node.name = std::move(parent.key->text);
      node.line = parent.key->line;
      parent.key.reset();
    }
    parent.node.items.push_back(std::move(node));
  }

  void begin_entry(const YAML::Mark& mark, Frame& map, YamlNode key) const {
    if (key.kind != YamlNode::Kind::kScalar) {
      refuse(mark, fmt::format("a key must be a word, found {}", key.describe()));
    }
    if (key.text.size() > kMaxYamlKeyBytes) {
      refuse(mark, fmt::format("a key of {} bytes; no key is that long", key.text.size()));
    }
    if (!map.keys.insert(key.text).second) {
      refuse(mark, fmt::format("'{}' is given twice; keep one", key.text));
    }
    map.key = std::move(key);
  }

  const std::string source_;
  std::vector<Frame> open_;
  YamlNode root_;
  std::size_t num_nodes_ = 0;
  bool seen_document_ = false;
};

// yaml-cpp reads a whole line ahead to find out what its first bracket means, and keeps some 240
// bytes for each character of it.
void refuse_long_lines(std::string_view bytes, const std::string& source) {
  int line = 1;
  for (std::size_t start = 0; start < bytes.size(); ++line) {
    const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
    require_usage(end - start <= kMaxYamlLineBytes,
                  "{}:{}: a line of {} bytes, more than {}",
                  source,
                  line,
                  end - start,
                  kMaxYamlLineBytes);
    start = end + 1;
  }
}

// yaml-cpp ends silently at some control characters and guesses encodings; ours is UTF-8 text.
void refuse_strange_bytes(std::string_view bytes, const std::string& source) {
  require_usage(bytes.size() <= kMaxYamlBytes,
                "{}: {} bytes, more than the {} that a configuration may have",
                source,
                bytes.size(),
                kMaxYamlBytes);
  require_usage(base::is_utf8(bytes), "{}: not UTF-8 text", source);
  const auto strange = std::ranges::find_if(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
  });
  require_usage(strange == bytes.end(),
                "{}:{}: a control character; expected text",
                source,
                1 + std::count(bytes.begin(), strange, '\n'));
}

}  // namespace

std::string YamlNode::describe() const {
  constexpr std::size_t kShown = 60;
  switch (kind) {
    case Kind::kNull:
      return "nothing";
    case Kind::kSequence:
      return "a list";
    case Kind::kMap:
      return "a map";
    case Kind::kScalar:
      break;
  }
  if (text.size() <= kShown) return fmt::format("'{}'", text);
  return fmt::format("a text of {} bytes", text.size());
}

YamlNode parse_yaml_tree(std::string_view bytes, const std::string& source) {
  refuse_strange_bytes(bytes, source);
  refuse_long_lines(bytes, source);
  std::istringstream stream{std::string(bytes)};
  TreeBuilder builder(source);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw UsageError(fmt::format("{}:{}: {}", source, error.mark.line + 1, error.msg));
  }
  return builder.take_root();
}

}  // namespace xtts::config
