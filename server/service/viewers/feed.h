#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "net/limits/token_bucket.h"
#include "net/socket/socket.h"
#include "service/rooms/company.h"
#include "service/rooms/publication.h"
#include "service/store/saved.h"
#include "service/viewers/encoding_budget.h"
#include "stream/coded/frame_coder.h"
#include "world/showing/snapshot.h"

namespace promenade::service {

/// All that one viewer is told besides replies to its own messages: which message is the next when
/// its connection is free. Nothing is encoded before that and little waits, so a viewer that is
/// behind gets the newest state of everything, and frames come between whatever else there is.
/// Docs: docs/protocol.md, "What comes when".
class Feed {
 public:
  static constexpr std::size_t kMaxBodies = 256;  // bodies asked for and not sent yet
  static constexpr std::size_t kMaxEvents = 64;   // events that wait; older ones are left out
  static constexpr std::size_t kMaxActs = 16;     // acts that wait; older ones are left out

  explicit Feed(const SavedDefinitions& saved) : saved_(saved) {}

  /// A newer state, to be sent with all that is needed to read it.
  /// @return whether it takes the place of a frame that was not sent
  bool publish(std::shared_ptr<const Publication> publication,
               net::Clock::time_point now = net::Clock::now());
  /// The catalogue may have changed.
  void catalogue_changed() { catalogue_due_ = true; }
  void tell(net::Bytes event);
  /// The acts and attention of other visitors: where more than a few acts wait the first are left
  /// out, of lists and attention only the newest counts. Null: nothing new.
  void tell_act(net::Bytes act);
  void tell_company(std::shared_ptr<const VisitorsVersion> visitors, net::Bytes attention);
  /// Characters whose Details follow each frame; nobody from the next epoch on.
  void watch(std::vector<world::CharacterId> characters) { watched_ = std::move(characters); }
  /// Frames are coded for this camera from now on.
  /// @param restart  one that needs no earlier one is asked for: it comes next, or, as each takes
  ///                 many times what others take, a second after the one before
  void look(const stream::View& view, bool restart);
  /// Frames are whole again.
  void look_no_more();
  /// Charges frames for this viewer alone to this share from now on; without, they are free.
  void charge_to(std::unique_ptr<EncodingBudget::Share> share) { share_ = std::move(share); }
  /// Coded frames of this viewer tell of fewer people in full: see Tiers::give_way().
  void give_way(int level);
  /// Frames that were overtaken since this was asked last, as this viewer's share was used up.
  std::uint64_t take_put_off() { return std::exchange(put_off_, 0); }
  /// Bodies to be sent, each once however often it is asked for before that. @return false, and
  /// nothing has changed, if more than kMaxBodies would wait
  bool ask(std::span<const std::uint64_t> bodies);
  std::size_t bodies_waiting() const { return bodies_.size(); }

  /// Whether there is a next message; none before the first state. Each state is told with a frame
  /// at its end, so that a frame which is due stands for all of it.
  bool has_next(net::Clock::time_point now = net::Clock::now()) const {
    if (!newest_) return false;
    return (frame_due_ && may_make_frame(now)) || of_room_.under_way() || of_others_.under_way() ||
           catalogue_due_ || !events_.empty() || !bodies_.empty() || of_company();
  }
  /// The next message; nothing if all has been told.
  /// @param dropped  frames that this viewer did not get
  std::optional<net::Outgoing> next(std::uint64_t dropped,
                                    net::Clock::time_point now = net::Clock::now());

 private:
  /// A message that is being sent, part by part.
  struct Sending {
    Parts parts;
    std::size_t next = 0;
    bool under_way() const { return parts && next < parts->size(); }
  };
  struct AskedBody {
    std::uint64_t id = 0;
    std::shared_ptr<const world::CreatureDefinition> body;  // null: there is none
  };

  std::optional<net::Outgoing> next_of_room(std::uint64_t dropped, net::Clock::time_point now);
  std::optional<net::Outgoing> next_of_others();
  std::optional<net::Outgoing> next_of_company();
  bool of_company() const { return visitors_ != told_visitors_ || attention_ || !acts_.empty(); }
  static net::Outgoing begin(Sending& sending, Parts parts);
  static net::Outgoing part_of(Sending& sending);
  bool may_make_frame(net::Clock::time_point now) const;
  net::Outgoing frame(std::uint64_t dropped, net::Clock::time_point now);
  bool coding(net::Clock::time_point now);
  net::Bytes next_event();

  const SavedDefinitions& saved_;
  // The room: the newest state, and how much of it has been told.
  std::shared_ptr<const Publication> newest_;
  bool frame_due_ = false;
  std::optional<std::uint64_t> told_scene_;  // its epoch
  std::shared_ptr<const Description> told_;  // with the told roster; null: none of that scene yet
  std::uint64_t told_rest_ = 0;  // tick up to which the viewer knows which things fell asleep
  std::vector<world::CharacterId> watched_;
  std::optional<stream::View> view_;                    // none: frames are whole
  std::unique_ptr<stream::CodedFrameEncoder> coded_;    // null: none was coded yet
  bool restart_ = false;                                // a frame that needs no earlier one is due
  net::TokenBucket restarts_{1, 3, net::Clock::now()};  // of those that the viewer asks for
  std::unique_ptr<EncodingBudget::Share> share_;        // null: nothing is charged
  std::uint64_t put_off_ = 0;
  int gives_way_ = 0;
  Sending of_room_;
  // The rest: at most one message or part between two frames.
  bool turn_of_others_ = false;
  std::deque<net::Bytes> events_;
  std::uint64_t events_left_out_ = 0;
  bool catalogue_due_ = true;
  std::shared_ptr<const Version<v1::Catalogue>> told_catalogue_;
  std::shared_ptr<const VisitorsVersion> visitors_, told_visitors_;  // newest, and what is known
  net::Bytes attention_;                                             // waiting; null: none
  std::deque<net::Bytes> acts_;
  std::deque<AskedBody> bodies_;
  Sending of_others_;
};

}  // namespace promenade::service
