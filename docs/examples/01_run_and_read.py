"""python3 01_run_and_read.py [PROGRAM]: runs a scene without a server, as fast as the machine allows, and
reads where the human went from the table that it wrote. PROGRAM is build/release/server/app/promenade."""
import csv, pathlib, subprocess, sys, tempfile

program = sys.argv[1] if len(sys.argv) > 1 else "build/release/server/app/promenade"
table = pathlib.Path(tempfile.mkdtemp()) / "one.csv"
subprocess.run([program, "run", "one", "--seconds", "10", "--csv", table, "--csv-every", "60"],
               check=True, stdout=subprocess.DEVNULL)
with open(table, newline="") as file:
    for row in csv.DictReader(file):  # one row a character and second: 60 ticks are a second
        print(f"{float(row['time_s']):4.0f} s: {row['body']} {row['state']}, x {float(row['x_m']):.2f} m, "
              f"{float(row['speed_mps']):.2f} m/s, {row['steps']} steps")
