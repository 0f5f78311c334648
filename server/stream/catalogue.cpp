#include "stream/catalogue.h"

namespace promenade::stream {
namespace {

using Entries = google::protobuf::RepeatedPtrField<v1::CatalogueEntry>;
using Names = google::protobuf::RepeatedPtrField<std::string>;

void compare(const Entries& before, const Entries& after, Entries* changed, Names* removed) {
  auto old = before.begin();
  for (const v1::CatalogueEntry& entry : after) {
    for (; old != before.end() && old->name() < entry.name(); ++old) *removed->Add() = old->name();
    const bool there = old != before.end() && old->name() == entry.name();
    if (!there || old->SerializeAsString() != entry.SerializeAsString()) *changed->Add() = entry;
    if (there) ++old;
  }
  for (; old != before.end(); ++old) *removed->Add() = old->name();
}

}  // namespace

std::string encode_catalogue(const v1::Catalogue& catalogue) {
  v1::ServerMessage message;
  *message.mutable_catalogue() = catalogue;
  return message.SerializeAsString();
}

std::string encode_catalogue_change(const v1::Catalogue& before, const v1::Catalogue& after) {
  v1::ServerMessage message;
  v1::CatalogueChange* out = message.mutable_catalogue_change();
  out->set_from_revision(before.revision());
  out->set_revision(after.revision());
  compare(before.styles(), after.styles(), out->mutable_styles(), out->mutable_removed_styles());
  compare(before.bodies(), after.bodies(), out->mutable_bodies(), out->mutable_removed_bodies());
  compare(before.gaits(), after.gaits(), out->mutable_gaits(), out->mutable_removed_gaits());
  return message.SerializeAsString();
}

}  // namespace promenade::stream
