"""Promises about the functions of the server: each is short enough to be read at once."""

import unittest

from cpp_functions import functions
from repository import ROOT, files, text

MAX_LINES = 80
# Folders of many small parts, whose functions are shorter.
SHORTER = {"server/control": 60, "server/behaviour/tasks": 60}


def most_lines(path):
    return min([MAX_LINES] + [lines for folder, lines in SHORTER.items() if path.startswith(folder + "/")])


def counted(source):
    return [(f.head, f.line, f.lines) for f in functions(source)]


class Functions(unittest.TestCase):
    def test_of_the_server_have_at_most_80_lines_and_fewer_in_some_folders(self):
        long, count = [], 0
        for path in files(".cpp", ".h", ".inc", under="server"):
            for f in functions(text(path)):
                count += 1
                if f.lines > most_lines(path.as_posix()):
                    long.append(f"{path}:{f.line}: {f.lines} lines: {f.head}")
        self.assertGreater(count, 1000)
        self.assertEqual(long, [])

    def test_that_are_shorter_stand_in_places_that_exist(self):
        for place in SHORTER:
            self.assertTrue((ROOT / place).exists(), place)


class Counter(unittest.TestCase):
    def test_counts_from_the_first_line_to_the_closing_brace(self):
        body = "  step();\n" * 90
        self.assertEqual(counted(f"int one() {{ return 1; }}\n\nvoid long_one(int a,\n    int b) {{\n{body}}}\n"),
                         [("int one() { return 1; }", 1, 1), ("void long_one(int a,", 3, 93)])

    def test_includes_the_lines_before_the_name(self):
        self.assertEqual(counted("template <class T, int N = 3>\n[[nodiscard]]\nstd::vector<T>\nf() {\n}\n"),
                         [("template <class T, int N = 3>", 1, 5)])

    def test_finds_members_and_operators(self):
        source = """
        class A final : public B {
         public:
          int get() const noexcept { return a_; }
          bool operator==(const A& other) const {
            return a_ == other.a_;
          }
          void operator()() && override {}
          A& operator=(const A&) { return *this; }
          A& operator/=(double by) { return *this; }
         private:
          int a_{3}, b_ = {4};
          std::function<void(int)> f_{nullptr};
        };"""
        self.assertEqual([head.split("(")[0] for head, _, _ in counted(source)],
                         ["int get", "bool operator==", "void operator", "A& operator=", "A& operator/="])

    def test_takes_initialisers_of_a_constructor_as_part_of_it(self):
        source = ("A::A(int a)\n    : Base<int>{a}, a_(a),\n      b_{[](int c) {\n        return c;\n      }},\n"
                  "      c_{} {\n  go();\n}\n")
        self.assertEqual(counted(source), [("b_{[](int c) {", 3, 3), ("A::A(int a)", 1, 8)])
        self.assertEqual(counted("A() : a_(1) {}\n  B() : b_{2} {}\n"),
                         [("A() : a_(1) {}", 1, 1), ("B() : b_{2} {}", 2, 1)])

    def test_reads_trailing_return_types(self):
        source = "auto f(int a) -> std::pair<int, int> {\n  const auto g = [&]() -> std::pair<int, int> {\n  };\n}\n"
        self.assertEqual(counted(source), [("const auto g = [&]() -> std::pair<int, int> {", 2, 2),
                                           ("auto f(int a) -> std::pair<int, int> {", 1, 4)])

    def test_finds_lambdas_that_are_assigned_passed_returned_and_called(self):
        source = """void f() {
  const auto a = [this, x = 1](int y) mutable {
  };
  each(list, [&] {
    return 1;
  }, Size{2});
  const int b = [] {
    return T{1};


  }();
  return [flags] { go(); };
}"""
        self.assertEqual([n for _, _, n in counted(source)], [2, 3, 5, 1, 13])
        table = "const Row kRows[] = {\n  {\"a\", [](const Row& r) {\n    return r.a;\n  }},\n};\n"
        self.assertEqual(counted(table), [("{\"a\", [](const Row& r) {", 2, 3)])

    def test_sees_no_function_in_scopes_values_and_statements(self):
        inside = "  int a;\n" * 3
        for source in (f"namespace a {{\n{inside}}}", f"struct A : B<int> {{\n{inside}}};",
                       "enum class E : int { kA };", "extern \"C\" {\n}",
                       "constexpr int kA[] = {1, 2};", "const A a{f(1), {2}};",
                       "static const std::array<int, f(3)> kA{1};", "#define F(x) \\\n  void f() { \\\n  }\n",
                       "union U {\n};", "concept C = requires(T c) {\n  c.a;\n};",
                       "template <class T>\nstruct A {\n};", "auto a = b[i](c) + D{1};"):
            self.assertEqual(counted(source), [], source)
        statements = """int f() {
  for (const auto& [a, b] : std::vector<int>{1, 2}) {
  }
  switch (a[1]) {
    case 1: {
    }
    default: {
    }
  }
  if (auto v = A{1}; v.is()) {
  } else if (b) {
  }
  do {
  } while (c);
  try {
  } catch (const E&) {
  }
  struct Row {
    int a = 1;
  };
  const struct {
    int a;
  } rows[] = {{1}};
  return {1};
}"""
        self.assertEqual(counted(statements), [("int f() {", 1, 25)])

    def test_is_not_led_astray_by_text(self):
        source = "void f() {\n  a(\"{\", '{', R\"x({{)\"{)x\", 1'000);  // {\n  /* { */\n}\nint g() {\n}\n"
        self.assertEqual([n for _, _, n in counted(source)], [4, 2])

    def test_refuses_what_it_cannot_read(self):
        for source in ("void f() {", "void f() { (} }", "}", "MACRO {\n  a = 1;\n}\n"):
            with self.assertRaises(ValueError):
                counted(source)


if __name__ == "__main__":
    unittest.main()
