// Builds the tree from yaml-cpp's parser events, so that the limits hold during parsing. yaml-cpp's
// own tree would expand aliases and nest until the stack overflows.

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

namespace myxtts::config {
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
    node.quoted = tag == "!";  // yaml-cpp's tag of quoted scalars
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
  // A sequence or map under construction.
  struct Frame {
    YamlNode node;
    std::optional<YamlNode> key;  // of a map: key whose value is still to come
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
      refuse(mark, fmt::format("more than {} values; expected fewer", kMaxYamlNodes));
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
      refuse(mark, fmt::format("expected a word as key, found {}", key.format()));
    }
    if (key.text.size() > kMaxYamlKeyBytes) {
      refuse(
          mark,
          fmt::format("key of {} bytes; expected at most {}", key.text.size(), kMaxYamlKeyBytes));
    }
    if (!map.keys.insert(key.text).second) {
      refuse(mark, fmt::format("'{}' occurs twice; remove one", key.text));
    }
    map.key = std::move(key);
  }

  const std::string source_;
  std::vector<Frame> open_;
  YamlNode root_;
  std::size_t num_nodes_ = 0;
  bool seen_document_ = false;
};

// yaml-cpp scans a whole line ahead to interpret its first bracket and keeps about 240 bytes per
// character of it.
void refuse_long_lines(std::string_view bytes, const std::string& source) {
  int line = 1;
  for (std::size_t start = 0; start < bytes.size(); ++line) {
    const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
    require_usage(end - start <= kMaxYamlLineBytes,
                  "{}:{}: line of {} bytes; expected at most {}",
                  source,
                  line,
                  end - start,
                  kMaxYamlLineBytes);
    start = end + 1;
  }
}

// yaml-cpp stops silently at some control characters and guesses encodings; only UTF-8 is accepted.
void refuse_invalid_bytes(std::string_view bytes, const std::string& source) {
  require_usage(bytes.size() <= kMaxYamlBytes,
                "{}: {} bytes; expected a configuration of at most {}",
                source,
                bytes.size(),
                kMaxYamlBytes);
  require_usage(base::is_utf8(bytes), "{}: not UTF-8; expected UTF-8 text", source);
  const auto invalid = std::ranges::find_if(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
  });
  require_usage(invalid == bytes.end(),
                "{}:{}: control character; expected text",
                source,
                1 + std::count(bytes.begin(), invalid, '\n'));
}

}  // namespace

std::string YamlNode::format() const {
  constexpr std::size_t kMaxShownBytes = 60;
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
  if (text.size() <= kMaxShownBytes) return fmt::format("'{}'", text);
  return fmt::format("text of {} bytes", text.size());
}

YamlNode parse_yaml_tree(std::string_view bytes, const std::string& source) {
  refuse_invalid_bytes(bytes, source);
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

}  // namespace myxtts::config
