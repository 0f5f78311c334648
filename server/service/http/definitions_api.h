#pragma once

#include <string>
#include <string_view>

#include "net/http/http_types.h"
#include "service/store/saved.h"
#include "service/viewers/api_context.h"

namespace promenade::service {

/// The part of the HTTP API for styles, bodies and gaits: which there are, which a character has,
/// saving and deleting. The constructor's arguments must outlive the object. Any thread may call
/// it.
class DefinitionsApi {
 public:
  explicit DefinitionsApi(const ApiContext& context) : context_(context), saved_(context.saved) {}

  /// Answers requests below /api/v1/styles, /api/v1/bodies and /api/v1/gaits.
  /// @return false if the path is not below these; then nothing is answered
  bool handle(const net::HttpRequest& request, const net::HttpReply& reply) const;

  /// The answer for the rest of a room's path, as in "characters/3/style".
  net::HttpResponse of_character(const RoomHost& room, const net::HttpRequest& request,
                                 std::string_view path) const;

 private:
  struct Target;
  void get(const Target& target, const net::HttpReply& reply) const;
  void put(const Target& target, const Asker& asker, const net::HttpRequest& request,
           const net::HttpReply& reply) const;
  void remove(const Target& target, const Asker& asker, const net::HttpReply& reply) const;
  SavedDefinitions::Reply<v1::CatalogueEntry> answer_to_save(std::string_view verb,
                                                             const Target& target,
                                                             const Asker& asker,
                                                             const net::HttpReply& reply) const;
  /// A gait that fits the creature that it names.
  std::variant<std::shared_ptr<const world::GaitDefinition>, world::CommandError> defined_gait(
      const v1::Gait& message) const;

  const ApiContext& context_;
  SavedDefinitions& saved_;
};

}  // namespace promenade::service
