// The ranges of numbers in commands: each field is held to what the schema says of it.
#include "world/command/field_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "behaviour/tasks/shared_list.h"
#include "behaviour/tasks/worker.h"
#include "creature/tie_limits.h"
#include "promenade/v1/command.pb.h"
#include "promenade/v1/rules.pb.h"
#include "world/command/limits.h"

namespace promenade::world {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The messages that a command has in it and that are of commands alone: ties, bodies, styles and
/// crowds are in files, too, where others check them.
std::set<const Descriptor*> messages_of_commands() {
  std::set<const Descriptor*> found;
  std::vector<const Descriptor*> open{v1::Command::descriptor()};
  while (!open.empty()) {
    const Descriptor* one = open.back();
    open.pop_back();
    const std::string file = one->file()->name();
    if (file != "promenade/v1/command.proto" && file != "promenade/v1/task.proto") continue;
    if (!found.insert(one).second) continue;
    for (int i = 0; i < one->field_count(); ++i)
      if (const Descriptor* child = one->field(i)->message_type()) open.push_back(child);
  }
  return found;
}

void each_field(const std::function<void(const Descriptor&, const FieldDescriptor&)>& visit) {
  for (const Descriptor* message : messages_of_commands()) {
    for (int i = 0; i < message->field_count(); ++i) visit(*message, *message->field(i));
  }
}

const v1::Limits& limits_of(const char* message, const char* field) {
  const Descriptor* found = v1::Command::descriptor()->file()->FindMessageTypeByName(message);
  return found->FindFieldByName(field)->options().GetExtension(v1::limits);
}

TEST(FieldLimits, AreSaidOfEveryFraction) {
  std::vector<std::string> unsaid;
  each_field([&unsaid](const Descriptor&, const FieldDescriptor& field) {
    const bool fraction = field.cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE;
    if (fraction && !field.options().HasExtension(v1::limits)) unsaid.push_back(field.full_name());
  });
  // More than 0 is asked for there.
  EXPECT_THAT(unsaid, ::testing::ElementsAre("promenade.v1.SitOut.seconds"));
}

TEST(FieldLimits, HaveARangeAndCountsThatCanBe) {
  each_field([](const Descriptor&, const FieldDescriptor& field) {
    if (!field.options().HasExtension(v1::limits)) return;
    const v1::Limits& limits = field.options().GetExtension(v1::limits);
    EXPECT_LT(limits.least(), limits.most()) << field.full_name();
    EXPECT_EQ(limits.counts_size() > 0,
              field.is_repeated() && field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
        << field.full_name();
    const bool zero_within = limits.least() <= 0 && limits.most() >= 0;
    EXPECT_FALSE(zero_within && !limits.zero().empty()) << field.full_name();
  });
}

/// A message of `descriptor` whose other fields are within their limits.
std::unique_ptr<Message> within_limits(const Descriptor& descriptor) {
  const auto* prototype =
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(&descriptor);
  std::unique_ptr<Message> message(prototype->New());
  for (int i = 0; i < descriptor.field_count(); ++i) {
    const FieldDescriptor* field = descriptor.field(i);
    if (!field->options().HasExtension(v1::limits)) continue;
    const v1::Limits& limits = field->options().GetExtension(v1::limits);
    const auto* reflection = message->GetReflection();
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      for (int k = 0; k < limits.least(); ++k) reflection->AddMessage(message.get(), field);
    } else if (field->is_repeated()) {
      for (std::uint32_t k = 0; k < *limits.counts().rbegin(); ++k)
        reflection->AddDouble(message.get(), field, limits.most());
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_UINT32) {
      reflection->SetUInt32(message.get(), field, std::uint32_t(limits.most()));
    } else {
      reflection->SetDouble(message.get(), field, limits.least());
    }
  }
  return message;
}

TEST(FieldLimits, HoldEachNumber) {
  int held = 0;
  each_field([&held](const Descriptor& descriptor, const FieldDescriptor& field) {
    if (!field.options().HasExtension(v1::limits)) return;
    if (field.cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) return;
    const v1::Limits& limits = field.options().GetExtension(v1::limits);
    const double inf = std::numeric_limits<double>::infinity();
    const auto refused = [&](double value) {
      const auto message = within_limits(descriptor);
      EXPECT_FALSE(find_out_of_limits(*message)) << field.full_name();
      if (field.is_repeated()) {
        message->GetReflection()->SetRepeatedDouble(message.get(), &field, 1, value);
      } else {
        message->GetReflection()->SetDouble(message.get(), &field, value);
      }
      const auto wrong = find_out_of_limits(*message, "command");
      if (!wrong) return false;
      EXPECT_EQ(wrong->field, "command." + field.name() + (field.is_repeated() ? "[1]" : ""));
      EXPECT_THAT(wrong->allowed, HasSubstr(limits.unit()));
      return true;
    };
    for (const double value : {std::nextafter(limits.least(), -inf),
                               std::nextafter(limits.most(), inf), inf, -inf, std::nan("")}) {
      if (value == 0 && !limits.zero().empty()) continue;
      EXPECT_TRUE(refused(value)) << field.full_name() << " " << value;
      ++held;
    }
    EXPECT_FALSE(refused(limits.least()));
    EXPECT_FALSE(refused(limits.most()));
    if (!limits.zero().empty()) EXPECT_FALSE(refused(0));
  });
  EXPECT_GT(held, 150);
}

TEST(FieldLimits, HoldCounts) {
  each_field([](const Descriptor& descriptor, const FieldDescriptor& field) {
    if (!field.is_repeated() || !field.options().HasExtension(v1::limits)) return;
    const v1::Limits& limits = field.options().GetExtension(v1::limits);
    const auto with = [&](int count) {
      const auto message = within_limits(descriptor);
      const auto* reflection = message->GetReflection();
      reflection->ClearField(message.get(), &field);
      for (int i = 0; i < count; ++i) {
        if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
          reflection->AddMessage(message.get(), &field)
              ->CopyFrom(*within_limits(*field.message_type()));
        } else {
          reflection->AddDouble(message.get(), &field, 0.5 * (limits.least() + limits.most()));
        }
      }
      return find_out_of_limits(*message);
    };
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      EXPECT_FALSE(with(int(limits.least()))) << field.full_name();
      EXPECT_FALSE(with(int(limits.most()))) << field.full_name();
      EXPECT_TRUE(with(int(limits.most()) + 1)) << field.full_name();
      return;
    }
    for (int count = 0; count < 6; ++count) {
      const auto& counts = limits.counts();
      const bool allowed = std::find(counts.begin(), counts.end(), count) != counts.end();
      EXPECT_EQ(!with(count), allowed) << field.full_name() << " with " << count;
    }
  });
}

TEST(FieldLimits, AreTheNumbersThatOtherCodeHas) {
  EXPECT_EQ(limits_of("SetVelocity", "x_mps").most(), kMaxSpeed);
  EXPECT_EQ(limits_of("Path", "speed_mps").most(), kMaxSpeed);
  EXPECT_EQ(limits_of("Spawn", "position_m").most(), kMaxCoordinate);
  EXPECT_EQ(limits_of("Push", "force_n").most(), kMaxPushForce);
  EXPECT_EQ(limits_of("Drag", "max_force_n").most(), kMaxPushForce);
  EXPECT_EQ(limits_of("Push", "duration_s").most(), kMaxPushDuration);
  EXPECT_EQ(limits_of("Push", "point_m").most(), kMaxPushPoint);
  EXPECT_EQ(limits_of("SingleStep", "ticks").most(), kMaxSingleSteps);
  EXPECT_EQ(limits_of("SetWander", "radius_m").least(), kMinWanderRadius);
  EXPECT_EQ(limits_of("SetWander", "radius_m").most(), kMaxWanderRadius);
  EXPECT_EQ(limits_of("SpawnThing", "velocity_mps").most(), kMaxThrow);
  EXPECT_EQ(limits_of("Grip", "stiffness_npm").most(), kMaxTieStiffness);
  EXPECT_EQ(limits_of("Grip", "damping_nspm").most(), kMaxTieDamping);
  EXPECT_EQ(limits_of("Grip", "max_force_n").most(), kMaxTieForce);
  EXPECT_EQ(limits_of("SetDetail", "views").most(), kMaxViews);
  EXPECT_EQ(limits_of("SetDetail", "in_physics").most(), kMaxInPhysics);
  EXPECT_EQ(limits_of("LoadScene", "people").least(), kLeastPeople);
  EXPECT_EQ(limits_of("SetTasks", "tasks").most(), behaviour::tasks::kMostTasks);
  EXPECT_EQ(limits_of("ShareTasks", "tasks").most(), behaviour::tasks::kMostTasks);
}

TEST(FieldLimits, SayWhatZeroStandsFor) {
  v1::SetTimeScale scale;
  scale.set_scale(1000);
  const auto wrong = find_out_of_limits(scale, "set_time_scale");
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->allowed, "0.1 to 100, or 0 for as fast as possible");
}

}  // namespace
}  // namespace promenade::world
