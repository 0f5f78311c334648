#include "world/journal/journal_keeper.h"

#include <cstring>
#include <utility>

#include "world/checkpoint/checkpoint.h"

namespace promenade::world {
namespace {

using namespace std::chrono_literals;
constexpr auto kSyncInterval = 200ms;  // the time of a sync itself comes on top

}  // namespace

JournalKeeper::JournalKeeper(const JournalSet& set, std::uint64_t total_bytes,
                             JournalHealth& health)
    : set_(set), total_bytes_(total_bytes), health_(health), thread_([this] { run(); }) {}

JournalKeeper::~JournalKeeper() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void JournalKeeper::watch(std::uint32_t segment, std::shared_ptr<LineFile> file) {
  {
    const std::lock_guard lock(mutex_);
    segment_ = segment;
    file_ = std::move(file);
    fresh_ = true;
    unsynced_.reset();
  }
  wake_.notify_one();
}

void JournalKeeper::written() {
  {
    const std::lock_guard lock(mutex_);
    if (unsynced_) return;
    unsynced_ = Clock::now();
  }
  wake_.notify_one();
}

void JournalKeeper::keep(v1::Checkpoint state, std::uint32_t segment, std::uint64_t offset) {
  {
    const std::lock_guard lock(mutex_);
    if (job_) return;
    job_ = Job{std::move(state), segment, offset};
    busy_ = true;
  }
  wake_.notify_one();
}

double JournalKeeper::unsynced() const {
  const std::lock_guard lock(mutex_);
  return unsynced_ ? std::chrono::duration<double>(Clock::now() - *unsynced_).count() : 0;
}

void JournalKeeper::run() {
  for (bool last = false; !last;) {
    std::optional<Job> job;
    bool prune = false;
    {
      std::unique_lock lock(mutex_);
      const auto urgent = [this] { return closing_ || job_ || fresh_; };
      wake_.wait(lock, [&] { return urgent() || unsynced_; });
      if (!urgent()) wake_.wait_until(lock, *unsynced_ + kSyncInterval, urgent);
      last = closing_;
      job = std::exchange(job_, std::nullopt);
      prune = std::exchange(fresh_, false);
    }
    sync();
    if (job) write(*job);
    if (job || prune) set_.prune(total_bytes_);
    if (job) busy_ = false;
  }
}

void JournalKeeper::sync() {
  std::shared_ptr<LineFile> file;
  {
    const std::lock_guard lock(mutex_);
    if (!unsynced_) return;
    file = file_;
    unsynced_.reset();
  }
  // Lines that a failed sync should have kept may be gone, whatever later ones say: only a new
  // segment, which begins with the whole state, is sure again.
  if (const int error = file->sync()) {
    health_.fail(JournalHealth::Part::kSync,
                 "the journal may not survive a power cut: the disk does not confirm it: " +
                     std::string(std::strerror(error)));
  }
}

void JournalKeeper::write(const Job& job) {
  const auto path = set_.point_path(job.segment, job.offset);
  if (const auto error = write_checkpoint(job.state, path)) {
    health_.fail(JournalHealth::Part::kPoint,
                 "a restart will take longer: the room's state " + error->text());
  } else {
    health_.mend(JournalHealth::Part::kPoint, "the room's state is written again");
  }
}

}  // namespace promenade::world
