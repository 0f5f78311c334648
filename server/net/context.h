#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "net/limits/address_limits.h"
#include "net/limits/connection_gate.h"
#include "net/limits/log_limit.h"
#include "net/server.h"

namespace promenade::net {

class SocketSession;

/// The state that all sessions share. Internal to net.
struct Context {
  Context(const ServerSettings& s, Metrics& m, HttpHandler h, SocketFactory f)
      : settings(s), metrics(m), http(std::move(h)), sockets(std::move(f)) {}

  const ServerSettings settings;
  Metrics& metrics;
  const HttpHandler http;
  const SocketFactory sockets;
  std::shared_ptr<ConnectionGate> gate = std::make_shared<ConnectionGate>(
      settings.limits.max_connections, settings.limits.max_connections_per_ip);
  AddressLimits visitors{settings.limits};
  LogLimit log;

  Counter& accepted =
      metrics.counter("promenade_connections_accepted_total", "TCP connections accepted.");
  Counter& refused_full = refused("full");
  Counter& refused_visitor_full = refused("visitor_full");
  Counter& refused_host = refused("host");
  Counter& refused_request = refused("malformed");
  Counter& refused_origin = refused("origin");
  Counter& refused_protocol = refused("subprotocol");
  Counter& refused_connections = refused("connection_rate");
  Counter& refused_requests = metrics.counter("promenade_requests_refused_total",
                                              "HTTP requests beyond a visitor's rate limit.");
  Counter& messages_oversized = closed("oversized");
  Counter& messages_unfinished = closed("unfinished");
  Counter& control_excess = closed("control_frames");
  Counter& timeouts = metrics.counter("promenade_connection_timeouts_total",
                                      "Connections closed because the other side was too slow.");
  Counter& messages_in =
      metrics.counter("promenade_socket_messages_received_total", "WebSocket messages received.");
  Counter& messages_excess = metrics.counter("promenade_socket_messages_excess_total",
                                             "WebSocket messages beyond the rate limit.");
  Counter& states_sent = metrics.counter("promenade_frames_sent_total", "Frames sent to viewers.");
  Counter& states_dropped = metrics.counter("promenade_frames_dropped_total",
                                            "Frames that were skipped for slow viewers.");
  Counter& replies_sent = metrics.counter("promenade_replies_sent_total",
                                          "Replies, events and other lossless messages sent.");
  Counter& bytes_sent =
      metrics.counter("promenade_socket_bytes_sent_total", "Payload bytes sent over WebSockets.");
  Counter& queue_overflows =
      metrics.counter("promenade_socket_overflows_total",
                      "WebSockets closed because their lossless queue was full.");

  /// Counts those that found no open place.
  Counter& refused(ConnectionGate::Place place) {
    return place == ConnectionGate::Place::kVisitorFull ? refused_visitor_full : refused_full;
  }

  // WebSockets to close when the server stops.
  void add(const std::shared_ptr<SocketSession>& session);
  std::vector<std::shared_ptr<SocketSession>> live_sessions();

 private:
  Counter& refused(const char* reason) {
    return metrics.counter("promenade_connections_refused_total", "Connections refused.",
                           {{"reason", reason}});
  }
  Counter& closed(const char* reason) {
    return metrics.counter("promenade_socket_closed_total",
                           "WebSockets closed because of what they sent.", {{"reason", reason}});
  }
  std::mutex mutex_;
  std::vector<std::weak_ptr<SocketSession>> sessions_;
};

}  // namespace promenade::net
