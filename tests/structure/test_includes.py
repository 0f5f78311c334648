"""Modules of server/ include downward only (docs/architecture: the order below)."""

import re
import unittest

from repository import ROOT, files, text

# From the ground up: a module may include itself and those before it.
ORDER = ["math", "physics", "schema", "store", "creature", "control", "behaviour", "world",
         "isolation", "stream", "api", "net", "command", "study", "search", "service", "load",
         "app"]
# Narrower than the order: what these modules may include of ours besides themselves.
ONLY = {
    "math": set(),
    "physics": {"math"},
    # It keeps texts: what they mean is for service to know.
    "store": set(),
    # It carries opaque bytes: what they mean is for stream and api to know.
    "net": {"math"},
    # Clients that know no more of the server than its messages.
    "load": {"net", "math"},
    # Studies run without a server. Of them the server knows searches alone.
    "study": {"math", "physics", "schema", "creature", "control", "behaviour", "world", "stream",
              "command"},
    # It finds parameters by trials, of which only study knows.
    "search": {"math", "physics", "schema", "creature", "control", "world", "study", "command"},
    # It writes the numbers of refusals as schema does.
    "command": {"schema"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)


def violations(module, includes):
    """Those of the includes (as written) that a file of the module may not have, with the reason."""
    found = []
    for include in includes:
        target = include.split("/")[0]
        if target in ORDER and "/" in include and target != module:
            if ORDER.index(target) > ORDER.index(module):
                found.append(f"{include}: {target} is above {module}")
            elif module in ONLY and target not in ONLY[module]:
                found.append(f"{include}: {module} may use {sorted(ONLY[module]) or 'nothing'}")
        if re.match(r"ode/", include) and module != "physics":
            found.append(f"{include}: only physics knows ODE")
        if include == "sqlite3.h" and module != "store":
            found.append(f"{include}: only store knows SQLite")
        if re.match(r"boost/(asio|beast)", include) and module not in ("net", "service", "load"):
            found.append(f"{include}: only net, service and load know Asio and Beast")
        if include.startswith("promenade/v1/") and ORDER.index(module) < ORDER.index("schema"):
            found.append(f"{include}: {module} knows no messages")
    return found


class Includes(unittest.TestCase):
    def test_every_folder_of_server_has_its_place_in_the_order(self):
        with_code = {path.parts[1] for path in files(".h", ".cpp", under="server")}
        self.assertEqual(with_code - set(ORDER), set())

    def test_point_downward(self):
        sources = files(".h", ".cpp", under="server")
        self.assertGreater(len(sources), 10)
        found = [f"{path}: {violation}" for path in sources
                 for violation in violations(path.parts[1], INCLUDE.findall(text(path)))]
        self.assertEqual(found, [])

    def test_name_files_that_exist_from_the_root_of_server(self):
        """No "../x.h" and no bare "x.h": where a header comes from shows in its name."""
        found = []
        for path in files(".h", ".cpp", under="server"):
            for include in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text(path), re.M):
                generated = include.startswith("promenade/v1/")
                if not generated and not (ROOT / "server" / include).is_file():
                    found.append(f'{path}: "{include}"')
        self.assertEqual(found, [])

    def test_headers_of_physics_name_no_type_of_ode(self):
        """Headers that only physics itself includes may; others may not, not even indirectly."""
        private = {p for p in files(".h", under="server/physics") if "<ode/" in text(p)}
        names = {f"{p.parts[1]}/{'/'.join(p.parts[2:])}" for p in private}
        found = [f"{path}: {include}" for path in files(".h", ".cpp", under="server")
                 for include in INCLUDE.findall(text(path))
                 if include in names and (path.parts[1] != "physics" or path.suffix == ".h"
                                          and path not in private)]
        self.assertEqual(found, [])

    def test_violations_are_found(self):
        self.assertTrue(violations("math", ["control/gbwc/style.h"]))
        self.assertTrue(violations("control", ["ode/ode.h"]))
        self.assertTrue(violations("net", ["world/room/room.h"]))
        self.assertTrue(violations("service", ["sqlite3.h"]))
        self.assertTrue(violations("stream", ["boost/asio/post.hpp"]))
        self.assertFalse(violations("control", ["creature/creature.h", "control/gbwc/x.h", "vector"]))


if __name__ == "__main__":
    unittest.main()
