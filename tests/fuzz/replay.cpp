// Stands in for libFuzzer in builds without it: feeds the target every file of a corpus and, of
// each, its beginnings and seeded changes of single bytes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s CORPUS_DIRECTORY\n", argv[0]);
    return 2;
  }
  constexpr int kChangesOfEach = 2000;
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(file), {}};
    for (std::size_t size = 0; size <= bytes.size(); ++size, ++inputs) {
      // A copy of exactly that size, so that a sanitizer sees a read beyond it.
      const std::vector<std::uint8_t> beginning(bytes.begin(), bytes.begin() + size);
      LLVMFuzzerTestOneInput(beginning.data(), beginning.size());
    }
    if (bytes.empty()) continue;
    std::mt19937 random(1);
    for (int i = 0; i < kChangesOfEach; ++i, ++inputs) {
      std::vector<std::uint8_t> changed = bytes;
      for (unsigned n = 1 + random() % 3; n > 0; --n) {
        changed[random() % changed.size()] = static_cast<std::uint8_t>(random());
      }
      LLVMFuzzerTestOneInput(changed.data(), changed.size());
    }
  }
  std::printf("%zu inputs\n", inputs);
  return inputs > 0 ? 0 : 1;
}
