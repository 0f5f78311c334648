#include "control/pendulum/program_id.h"

#include <elf.h>
#include <link.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace promenade::control::pendulum {
namespace {

struct Found {
  std::string program, libraries;  // build ids
  bool first = true;               // the first object is the program
};

std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

/// Appends the build id in a segment of notes. @return whether there is one
bool append_id(const char* notes, std::size_t size, std::string& ids) {
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof head);
    const std::size_t name = sizeof head, content = name + padded(head.n_namesz);
    const std::size_t whole = content + padded(head.n_descsz);
    if (whole > size) return false;
    if (head.n_type == NT_GNU_BUILD_ID &&
        std::string_view(notes + name, head.n_namesz) == std::string_view("GNU\0", 4)) {
      ids.append(notes + content, head.n_descsz);
      return true;
    }
    notes += whole;
    size -= whole;
  }
  return false;
}

int look_at(dl_phdr_info* object, std::size_t, void* to) {
  auto& found = *static_cast<Found*>(to);
  const bool program = std::exchange(found.first, false);
  // The kernel's own object changes with the kernel, and computes nothing.
  if (std::string_view(object->dlpi_name).find("vdso") != std::string_view::npos) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // The loader tells addresses as numbers.
    const auto* notes = reinterpret_cast<const char*>(  // NOLINT(performance-no-int-to-ptr)
        object->dlpi_addr + segment.p_vaddr);
    if (append_id(notes, segment.p_memsz, program ? found.program : found.libraries)) break;
  }
  return 0;
}

Found build_ids() {
  Found found;
  dl_iterate_phdr(&look_at, &found);
  return found;
}

}  // namespace

std::string program_id() { return build_ids().program; }

std::string what_computes() {
  std::string out = build_ids().libraries;
#if defined(__x86_64__)
  __builtin_cpu_init();
  for (const bool has : {bool(__builtin_cpu_supports("fma")), bool(__builtin_cpu_supports("avx2")),
                         bool(__builtin_cpu_supports("avx512f"))}) {
    out += has ? '1' : '0';
  }
#endif
  return out;
}

}  // namespace promenade::control::pendulum
