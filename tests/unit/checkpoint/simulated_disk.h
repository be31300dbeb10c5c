#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "unit/checkpoint/fault_injecting_files.h"

namespace myxtts::checkpoint {

// A disk with only POSIX guarantees: bytes are durable once their file is synced, names once their
// folder is synced. After a power cut any subset of the unsynced name changes may be on the disk;
// of the unsynced bytes all, a part, zeros or none.
class SimulatedDisk {
 public:
  explicit SimulatedDisk(std::filesystem::path root) : root_(std::move(root)) {}

  void apply(const Operation& operation) {
    using Kind = Operation::Kind;
    const std::filesystem::path& path = operation.path;
    switch (operation.kind) {
      case Kind::kCreate:
        change(path.parent_path(), {{path.filename(), std::make_shared<Node>()}});
        at(path)->is_file = true;
        return;
      case Kind::kMakeFolder:
        return change(path.parent_path(), {{path.filename(), std::make_shared<Node>()}});
      case Kind::kWrite:
        at(path)->bytes += operation.bytes;
        return;
      case Kind::kSyncFile:
        at(path)->synced_bytes = at(path)->bytes.size();
        return;
      case Kind::kSyncFolder:
        at(path)->synced_names = at(path)->names;
        return at(path)->unsynced.clear();
      case Kind::kRename:
        return change(path.parent_path(),
                      {{path.filename(), nullptr}, {operation.to.filename(), at(path)}});
      case Kind::kRemoveFile:
      case Kind::kRemoveFolder:
        return change(path.parent_path(), {{path.filename(), nullptr}});
    }
  }

  // Writes a random state of the disk after a power cut below `target`.
  void cut_power(base::Random& random, const std::filesystem::path& target) const {
    write_folder(*disk_, random, target);
  }

 private:
  struct Node;
  using Names = std::map<std::string, std::shared_ptr<Node>>;
  using Change = std::vector<std::pair<std::string, std::shared_ptr<Node>>>;  // null: removed

  struct Node {
    bool is_file = false;
    std::string bytes;
    std::size_t synced_bytes = 0;
    Names names;
    Names synced_names;
    std::vector<Change> unsynced;
  };

  static void apply_change(Names& names, const Change& change) {
    for (const auto& [name, node] : change) {
      if (node == nullptr) {
        names.erase(name);
      } else {
        names[name] = node;
      }
    }
  }

  void change(const std::filesystem::path& folder, const Change& change) {
    const std::shared_ptr<Node> node = at(folder);
    apply_change(node->names, change);
    node->unsynced.push_back(change);
  }

  std::shared_ptr<Node> at(const std::filesystem::path& path) const {
    std::shared_ptr<Node> node = disk_;
    for (const std::filesystem::path& part : path.lexically_relative(root_)) {
      if (part != ".") node = node->names.at(part.string());
    }
    return node;
  }

  static std::string surviving_bytes(const Node& file, base::Random& random) {
    const std::size_t num_unsynced = file.bytes.size() - file.synced_bytes;
    const std::size_t num_written =
        file.synced_bytes + (num_unsynced == 0 ? 0 : random.below(num_unsynced + 1));
    std::string bytes = file.bytes.substr(0, num_written);
    if (random.below(2) == 0) bytes.resize(file.bytes.size(), '\0');
    return bytes;
  }

  static void write_folder(const Node& folder,
                           base::Random& random,
                           const std::filesystem::path& target) {
    std::filesystem::create_directories(target);
    Names names = folder.synced_names;
    for (const Change& change : folder.unsynced) {
      if (random.below(2) == 0) apply_change(names, change);
    }
    for (const auto& [name, node] : names) {
      if (node->is_file) {
        std::ofstream(target / name, std::ios::binary) << surviving_bytes(*node, random);
      } else {
        write_folder(*node, random, target / name);
      }
    }
  }

  std::filesystem::path root_;
  std::shared_ptr<Node> disk_ = std::make_shared<Node>();
};

}  // namespace myxtts::checkpoint
