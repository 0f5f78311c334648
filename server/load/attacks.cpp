#include "load/attacks.h"

#include <algorithm>
#include <limits>

#include "promenade/v1/wire.pb.h"

namespace promenade::load {
namespace {

using std::chrono::milliseconds;

std::string random_bytes(Random& random, std::size_t count) {
  std::string bytes(count, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.below(256));
  return bytes;
}

// A frame of RFC 6455 from a client, masked by zeros.
std::string frame(std::string_view payload, unsigned char first = 0x82) {
  std::string out{static_cast<char>(first)};
  if (payload.size() < 126) {
    out += static_cast<char>(0x80 | payload.size());
  } else {
    out += static_cast<char>(0x80 | 126);
    out += static_cast<char>(payload.size() >> 8);
    out += static_cast<char>(payload.size());
  }
  return out.append(4, '\0').append(payload);
}

std::string frame(const v1::ClientMessage& message) { return frame(message.SerializeAsString()); }

std::string join(const Plan& plan, const std::string& token) {
  v1::ClientMessage message;
  message.set_seq(1);
  message.mutable_join()->set_room(plan.room);
  message.mutable_join()->set_token(token);
  message.mutable_join()->set_client("promenade load, hostile");
  return frame(message);
}

std::string upgrade(const Plan&, const std::string& host, Random&) {
  return "GET /ws HTTP/1.1\r\nHost: " + host +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Protocol: promenade.v1\r\n\r\n";
}

std::string get(const std::string& path, const std::string& host) {
  return "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
}

std::string repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// The first piece after an upgrade joins; later ones do what the attack is about.
template <typename Make>
std::string after_join(const Plan& plan, int index, Make make) {
  if (index == 0) return join(plan, plan.token);
  return make();
}

std::string pings(const Plan& plan, int index, Random&) {
  return after_join(plan, index, [index] {
    std::string out;
    for (int i = 0; i < 200; ++i) {
      v1::ClientMessage message;
      message.set_seq(static_cast<std::uint64_t>(index) * 200 + static_cast<std::uint64_t>(i));
      message.mutable_ping();
      out += frame(message);
    }
    return out;
  });
}

std::string commands(const Plan& plan, int index, Random& random) {
  return after_join(plan, index, [&] {
    std::string out;
    for (int i = 0; i < 50; ++i) {
      v1::ClientMessage message;
      message.set_seq(static_cast<std::uint64_t>(index) * 50 + static_cast<std::uint64_t>(i) + 1);
      v1::Push* push = message.mutable_command()->mutable_push();
      push->set_character(static_cast<std::uint32_t>(random.below(100)));
      push->add_force_n(random.chance(0.5) ? std::numeric_limits<double>::quiet_NaN() : 1e300);
      push->set_link(std::string(random.below(200), '\n'));
      out += frame(message);
    }
    return out;
  });
}

std::string definitions(const Plan& plan, int index, Random& random) {
  return after_join(plan, index, [&] {
    v1::ClientMessage message;
    message.set_seq(static_cast<std::uint64_t>(index) + 1);
    v1::Spawn* spawn = message.mutable_command()->mutable_spawn();
    v1::Creature* body = spawn->mutable_body_definition();
    body->set_name("large" + std::to_string(random.below(1'000'000)));
    body->set_base("human");
    body->set_description(std::string(30'000, 'x'));
    return frame(message);
  });
}

std::string wrong_messages(const Plan& plan, int index, Random& random) {
  return after_join(plan, index, [&] {
    v1::ClientMessage message;
    message.set_seq(static_cast<std::uint64_t>(index) + 1);
    message.mutable_command()->mutable_spawn()->set_body("human");
    std::string bytes = message.SerializeAsString();
    bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    return frame(bytes);
  });
}

// A camera that is elsewhere each time, and never knows what it was told before.
std::string cameras(const Plan& plan, int index, Random& random) {
  return after_join(plan, index, [&] {
    v1::ClientMessage message;
    message.set_seq(static_cast<std::uint64_t>(index) + 1);
    v1::Viewpoint* view = message.mutable_viewpoint();
    constexpr double kReach = 30;  // m, of the camera from the origin
    for (int axis = 0; axis < 2; ++axis) view->add_eye_m(float(random.uniform(-kReach, kReach)));
    view->add_eye_m(float(random.uniform(1.5, 12)));
    for (int axis = 0; axis < 2; ++axis) view->add_forward(float(random.uniform(-1, 1)));
    view->add_forward(-0.1f);
    view->set_height_rad(0.56f);
    view->set_aspect(1.78f);
    view->set_key(true);
    return frame(message);
  });
}

constexpr Attack kAttacks[] = {
    {"noise", "random bytes in place of a request", false, true, milliseconds(20), 20,
     [](const Plan&, const std::string&, Random& random) { return random_bytes(random, 400); },
     [](const Plan&, int, Random& random) { return random_bytes(random, 400); }},
    {"slow-header", "a header that comes a byte at a time", false, true, milliseconds(200), 100,
     [](const Plan&, const std::string&, Random&) { return std::string("GET / HTTP/1.1\r\nX: "); },
     [](const Plan&, int, Random&) { return std::string("x"); }},
    {"long-header", "a header of 1 MB", false, true, milliseconds(1), 32,
     [](const Plan&, const std::string&, Random&) { return std::string("GET / HTTP/1.1\r\nX: "); },
     [](const Plan&, int, Random&) { return std::string(32'768, 'x'); }},
    {"idle", "connections on which nothing comes", false, true, milliseconds(500), 20,
     [](const Plan&, const std::string&, Random&) { return std::string(); },
     [](const Plan&, int, Random&) { return std::string(); }},
    {"smuggling", "a second request in a body of doubtful length", false, true, milliseconds(50), 4,
     [](const Plan&, const std::string& host, Random& random) {
       constexpr const char* kCodings[] = {"xchunked", "chunked, identity", "identity", "gzip"};
       return "POST /api/v1/rooms/main/commands HTTP/1.1\r\nHost: " + host +
              "\r\nTransfer-Encoding: " + kCodings[random.below(4)] +
              "\r\n\r\n0\r\n\r\nGET /api/v1/rooms HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
     },
     nullptr},
    {"requests", "a hundred requests at once for the state of a room", false, true,
     milliseconds(50), 40,
     [](const Plan&, const std::string& host, Random&) {
       return repeat(get("/api/v1/rooms/main/state", host), 100);
     },
     [](const Plan& plan, int, Random&) {
       return repeat(get("/api/v1/rooms/main/state", plan.host), 20);
     }},
    {"unread", "requests whose answers are never read", false, false, milliseconds(20), 200,
     [](const Plan&, const std::string& host, Random&) {
       return repeat(get("/api/v1/bodies", host), 100);
     },
     nullptr},
    {"tokens", "guesses of a token", true, true, milliseconds(20), 10, upgrade,
     [](const Plan& plan, int, Random& random) {
       return join(plan, "guess-" + std::to_string(random.next()));
     }},
    {"no-join", "a WebSocket that never joins", true, true, milliseconds(500), 20, upgrade,
     nullptr},
    {"join-and-leave", "joins and goes at once", true, false, milliseconds(5), 2, upgrade,
     [](const Plan& plan, int, Random&) { return join(plan, plan.token); }},
    {"wrong-frames", "WebSocket frames against the standard", true, true, milliseconds(50), 4,
     upgrade,
     [](const Plan&, int, Random& random) {
       std::string bytes = frame("abc", static_cast<unsigned char>(random.below(256)));
       if (random.chance(0.5)) bytes[1] = 3;  // not masked
       return bytes;
     }},
    {"huge-frame", "a frame header that declares 2^62 bytes", true, true, milliseconds(200), 20,
     upgrade,
     [](const Plan&, int index, Random&) {
       if (index > 0) return std::string(16, 'x');
       return std::string("\x82\xff\x40\0\0\0\0\0\0\0\0\0\0\0", 14);
     }},
    {"trickle", "a message that comes a byte at a time", true, true, milliseconds(200), 100,
     upgrade,
     [](const Plan&, int index, Random&) {
       return index > 0 ? std::string("x") : std::string("\x82\xfe\x0f\xff\0\0\0\0", 8);
     }},
    {"wrong-messages", "messages with a byte changed", true, true, milliseconds(10), 200, upgrade,
     wrong_messages},
    {"pings", "pings as fast as they go out", true, true, milliseconds(1), 400, upgrade, pings},
    {"commands", "commands with impossible values", true, true, milliseconds(20), 100, upgrade,
     commands},
    {"commands-unread", "commands whose answers are never read", true, false, milliseconds(20), 100,
     upgrade, commands},
    {"cameras", "frames for a camera that is elsewhere each time, none built on an earlier one",
     true, true, milliseconds(34), 3000, upgrade, cameras},
    {"definitions", "characters with bodies of 30 KB", true, true, milliseconds(50), 100, upgrade,
     definitions},
};

}  // namespace

std::span<const Attack> attacks() { return kAttacks; }

const Attack* find_attack(std::string_view name) {
  const auto found = std::find_if(std::begin(kAttacks), std::end(kAttacks),
                                  [name](const Attack& attack) { return attack.name == name; });
  return found == std::end(kAttacks) ? nullptr : found;
}

}  // namespace promenade::load
