// Errors of myxtts.
//
//   UsageError  Wrong input: a folder, file, name or value that does not exist or is out of range.
//   UserError   A file, a device or the machine failed.
//   BugError    An internal invariant does not hold: a bug of myxtts.
//
// Messages are one line of UTF-8: what was found, what was expected, what to do. Functions of the
// C++ interface throw these and std::bad_alloc. The C interface (myxtts.h) returns their messages.
#pragma once

#include <stdexcept>

namespace myxtts {

class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class UsageError : public UserError {
 public:
  using UserError::UserError;
};

class BugError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace myxtts
