"""Measures how costs grow with a number: the part of Benchmarks/run under `--only scale`."""
import math
import statistics


def scale(tool, bench, loop, stream, runs, quick, steady, ask, table, say, goal, note):
    runs = 1 if quick else min(runs, 3)

    def medians(command):
        rows = [ask(*bench, *command) for _ in range(runs)]
        note(f"scale: {' '.join(command)}: {rows[-1]}")
        return {key: statistics.median(row[key] for row in rows) for key in rows[0]}

    def growth(rows, key, base=0):
        """Returns the exponent of the growth between the last two sizes: 1 is linear."""
        (n, a), (m, b) = [(row["n"], max(1e-9, row[key] - base)) for row in rows[-2:]]
        return math.log(b / a) / math.log(m / n)

    def part(title, command, counts, columns, cost, rest=()):
        """Measures a command for all counts. `columns` are the keys with a header and a format; `cost` is the key whose growth is checked."""
        rows = [{"n": count, **medians([command, str(count), *rest])} for count in counts]
        table([title, *[header for header, _ in columns.values()]],
              [[f"{row['n']:,}", *[form.format(row[key]) for key, (_, form) in columns.items()]] for row in rows])
        goal(f"exponent of the growth ({columns[cost][0]})", growth(rows, cost), 1.1)
        say()
        return rows

    say("### How costs grow\n")
    say(f"Medians of {runs}. The exponent is that between the last two sizes: 1 is linear, 0 is constant.\n")
    rows = []
    for count in (1, 4, 16, 64):
        used = [steady([[tool, "play", loop, "--loop", "--wall", str(count), "--size", "1280x720"]], 8, 3 if quick else 6) for _ in range(runs)]
        cpu, memory, x = (statistics.median(column) for column in zip(*used))
        rows.append({"n": count, "cores": cpu / (3 if quick else 6), "x": x / (3 if quick else 6), "memory": memory})
        note(f"scale: wall of {count}: {rows[-1]}")
    table(["loops in one window of 1280×720", "cores", "X server's cores", "PSS MB"],
          [[str(row["n"]), f"{row['cores']:.3f}", f"{row['x']:.3f}", f"{row['memory']:.0f}"] for row in rows])
    goal("exponent of the growth (cores)", growth(rows, "cores"), 1.1)
    say()
    part("players of 640×360 in one process", "players", (1, 4, 16, 50, 100),
         {"cores": ("cores", "{:.3f}"), "memory": ("PSS MB", "{:.0f}"), "threads": ("threads", "{:.0f}"), "startSeconds": ("first frame of the last, s", "{:.2f}"),
          "fewestFramesPerSecond": ("fewest frames/s", "{:.1f}")}, "cores", [loop])
    part("HLS players of 640×360 in one process", "players", (1, 5, 20),
         {"cores": ("cores", "{:.3f}"), "memory": ("PSS MB", "{:.0f}"), "threads": ("threads", "{:.0f}"), "startSeconds": ("first frame of the last, s", "{:.2f}"),
          "fewestFramesPerSecond": ("fewest frames/s", "{:.1f}")}, "cores", [stream])
    part("items in a queue", "queue", (10, 100, 1_000, 10_000),
         {"ms": ("to make it, ms", "{:.2f}"), "advanceMs": ("next item, ms", "{:.3f}"), "memory": ("memory, MB", "{:.1f}")}, "ms", [loop])
    part("segments of a playlist", "playlist", (100, 1_000, 10_000, 100_000),
         {"ms": ("to read it, ms", "{:.2f}"), "reloadMs": ("reload with one more, ms", "{:.3f}"), "memory": ("memory, MB", "{:.1f}")}, "ms")
    part("cues of subtitles", "cues", (10, 100, 1_000, 10_000, 100_000),
         {"ms": ("to read them, ms", "{:.2f}"), "lookupMs": ("to find one, ms", "{:.4f}"), "memory": ("memory, MB", "{:.1f}")}, "ms")
    part("views", "views", (10, 100, 1_000, 10_000),
         {"startSeconds": ("until they are drawn, s", "{:.2f}"), "cores": ("cores for 1,000 changes a second", "{:.3f}"), "changesPerSecond": ("changes/s", "{:.0f}"), "memory": ("PSS MB", "{:.0f}")},
         "startSeconds")
