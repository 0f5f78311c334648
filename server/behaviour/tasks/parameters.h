#pragma once

#include <filesystem>
#include <memory>

#include "promenade/v1/task_parameters.pb.h"
#include "schema/error.h"

namespace promenade::behaviour::tasks {

/// The numbers of tasks from a file; units and meaning in
/// proto/promenade/v1/task_parameters.proto.
/// @return the first number that is missing or outside its range as an error, with file and line
schema::Result<std::shared_ptr<const v1::TaskParameters>> load_parameters(
    const std::filesystem::path& file);

}  // namespace promenade::behaviour::tasks
