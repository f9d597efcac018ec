"""Measures downloads: the part of Benchmarks/run under `--only download`."""
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# The number of segments of each finished download in the library.
SEGMENTS = 40


def stream(folder, note):
    """Makes about 300 MB of HLS in TS segments of 2 s and 4 MB. Returns the folder."""
    path = os.path.join(folder, "download")
    if not os.path.exists(os.path.join(path, "index.m3u8")):
        note("making download")
        part = os.path.join(folder, "part-download")
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        film = os.path.join(part, "film.ts")
        rate = ["-b:v", "16M", "-minrate", "16M", "-maxrate", "16M", "-bufsize", "16M", "-nal-hrd", "cbr"]
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30,noise=alls=40:allf=t", "-f", "lavfi", "-i", "sine=440:r=48000",
                        "-t", "16", "-c:v", "libx264", "-preset", "ultrafast", *rate, "-pix_fmt", "yuv420p", "-g", "60", "-keyint_min", "60", "-sc_threshold", "0",
                        "-c:a", "aac", film], check=True)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-stream_loop", "8", "-i", film, "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
                        "-hls_segment_filename", os.path.join(part, "%03d.ts"), os.path.join(part, "index.m3u8")], check=True)
        os.remove(film)
        os.rename(part, path)
    return path


def ytdlp(folder, note):
    """Installs yt-dlp in a separate environment and returns its path, or None if it cannot be installed."""
    program = os.path.join(folder, "venv/bin/yt-dlp")
    if not os.path.exists(program):
        note("installing yt-dlp")
        try:
            subprocess.run([sys.executable, "-m", "venv", os.path.join(folder, "venv")], check=True, capture_output=True)
            subprocess.run([os.path.join(folder, "venv/bin/pip"), "install", "-q", "yt-dlp"], check=True, capture_output=True, timeout=300)
        except (subprocess.SubprocessError, OSError) as error:
            note(f"yt-dlp cannot be installed: {error}")
            return None
    return program if os.path.exists(program) else None


def timed(command, environment=None):
    """Runs a command. Returns the wall seconds, and the CPU seconds of the process and its children."""
    began = time.monotonic()
    p = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = p.stderr.read().decode(errors="replace")
    _, status, usage = os.wait4(p.pid, 0)
    p.returncode = os.waitstatus_to_exitcode(status)
    p.stderr.close()
    if p.returncode != 0:
        sys.exit(f"Benchmarks/run: ended with {p.returncode}: {' '.join(command)}\n{errors[-2000:]}")
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime


def throughput(tool, server, folder, runs, table, say, goal, note):
    path = stream(folder, note)
    size = sum(os.path.getsize(os.path.join(path, f)) for f in os.listdir(path) if f.endswith(".ts"))
    out = os.path.join(folder, "download-out")
    native = ytdlp(folder, note)
    eat = next((p for p in ("/usr/lib/x86_64-linux-gnu/libeatmydata.so", "/usr/lib/aarch64-linux-gnu/libeatmydata.so") if os.path.exists(p)), None)
    process = subprocess.Popen([server, path, "--latency", "0.02"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        url = process.stdout.readline().decode().strip() + "index.m3u8"
        ours = [tool, "download", url, "--library", out, "--quiet"]
        players = {"zoetrope download": (ours, None)}
        if eat:
            players["zoetrope download, without fsync"] = (ours, {**os.environ, "LD_PRELOAD": eat})
        players["ffmpeg -c copy, to TS"] = (["ffmpeg", "-v", "error", "-y", "-i", url, "-c", "copy", out + "/film.ts"], None)
        players["ffmpeg -c copy, to MP4"] = (["ffmpeg", "-v", "error", "-y", "-i", url, "-c", "copy", out + "/film.mp4"], None)
        if native:
            get = [native, "-q", "--no-config", "--no-cache-dir", "--no-part", "--fixup", "never", "--downloader", "native", "-o", out + "/film.mp4", url]
            players["yt-dlp --downloader native"] = (get, None)
            players["yt-dlp --downloader native -N 4"] = (get[:1] + ["-N", "4"] + get[1:], None)
        results = {k: [] for k in players}
        for run in range(runs):
            for name, (command, environment) in players.items():
                shutil.rmtree(out, ignore_errors=True)
                os.makedirs(out)
                # Write the data of earlier programs to the disk before this program is measured.
                os.sync()
                wall, cpu = timed(command, environment)
                note(f"download {run + 1}: {name}: {wall:.2f} s, {cpu:.2f} CPU s")
                results[name].append((wall, cpu))
        shutil.rmtree(out, ignore_errors=True)
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
    m = {k: [statistics.median(c) for c in zip(*v)] for k, v in results.items()}
    mine = m["zoetrope download"]
    say(f"### Downloading {size / 1e6:.0f} MB of HLS on the loopback interface with 20 ms latency, 4 segments at a time\n")
    table(["program", "s", "MB/s", "× zoetrope's time", "CPU s per GB", "× zoetrope"],
          [[k, f"{w:.2f}", f"{size / 1e6 / w:.0f}", f"{w / mine[0]:.2f}", f"{c / size * 1e9:.2f}", f"{c / mine[1]:.2f}"] for k, (w, c) in m.items()])
    least = min((v for k, v in m.items() if k.startswith("ffmpeg")), key=lambda v: v[0])
    goal("time compared with the faster ffmpeg", mine[0] / least[0], 0.5)
    goal("CPU per GB compared with the lowest of the others", mine[1] / min(v[1] for k, v in m.items() if not k.startswith("zoetrope")), 1.0)
    if eat:
        bare = m["zoetrope download, without fsync"]
        say(f"- durability costs {(mine[0] / bare[0] - 1) * 100:+.0f} % of time and {(mine[1] / bare[1] - 1) * 100:+.0f} % of CPU")
    else:
        say("- the cost of durability was not measured: libeatmydata is not installed")
    if not native:
        say("- yt-dlp could not be installed")
    say()


def fill(bench, folder, count):
    """Adds downloads to a library, half of them finished, with the records of their segments."""
    subprocess.run([*bench, "fill", folder, str(count)], check=True, capture_output=True)
    database = sqlite3.connect(os.path.join(folder, "downloads.sqlite"))
    for id, package in database.execute("SELECT id, package FROM download ORDER BY place").fetchall()[::2]:
        text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n" + "".join(f"#EXTINF:6.0,\nsegment-{n}.ts\n" for n in range(SEGMENTS)) + "#EXT-X-ENDLIST\n"
        rendition = database.execute(
            "INSERT INTO rendition (package, kind, name, url, others, tag, bitRate, playlist, playlistURL, variables, complete) VALUES (?, 'video', 'video', ?, '[]', '', 1e6, ?, ?, '{}', 1)",
            (package, f"https://media.example/films/{package}/video.m3u8", text, f"https://media.example/films/{package}/video.m3u8")).lastrowid
        database.execute("INSERT INTO choice (download, rendition) VALUES (?, ?)", (id, rendition))
        database.executemany("INSERT INTO resource VALUES (?, 0, ?, ?, 750000, ?, 1, '\"an-etag\"')",
                             [(rendition, n, f"segment-{n:06}.ts", os.urandom(16)) for n in range(SEGMENTS)])
        database.execute("UPDATE package SET finished = 1.7e9, bytes = ? WHERE id = ?", (SEGMENTS * 750000, package))
        database.execute("UPDATE download SET finished = 1, bytes = ?1, expectedBytes = ?1, seconds = 240, expectedSeconds = 240 WHERE id = ?2", (SEGMENTS * 750000, id))
    database.commit()
    database.close()


def library(tool, bench, server, folder, runs, table, say, goal, note):
    place = os.path.join(folder, "download-library")
    shutil.rmtree(place, ignore_errors=True)
    fill(bench, place, 1000)

    def ask(*arguments):
        return json.loads(subprocess.run([*bench, *arguments], check=True, capture_output=True, text=True).stdout)

    opened = [ask("open", place) for _ in range(max(11, runs))]
    start, listed = (statistics.median(r[k] for r in opened) for k in ("openMs", "listMs"))
    whole = statistics.median(timed([tool, "downloads", "list", "--library", place])[0] for _ in range(max(11, runs))) * 1000
    empty = statistics.median(timed([tool, "downloads", "list", "--library", place + "-none"])[0] for _ in range(max(11, runs))) * 1000
    shutil.rmtree(place)

    many = os.path.join(folder, "download-many")
    os.makedirs(many, exist_ok=True)
    with open(os.path.join(many, "index.m3u8"), "w") as f:
        f.write("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-TARGETDURATION:7\n")
        f.writelines(f"#EXTINF:6.006,\nvideo/segment-{n}.ts\n" for n in range(100_000))
        f.write("#EXT-X-ENDLIST\n")
    process = subprocess.Popen([server, many], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    plans = []
    try:
        url = process.stdout.readline().decode().strip() + "index.m3u8"
        for _ in range(max(5, runs)):
            shutil.rmtree(place, ignore_errors=True)
            plans.append(ask("plan", place, url))
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
        shutil.rmtree(place, ignore_errors=True)
    seconds, peak, before = (statistics.median(r[k] for r in plans) for k in ("planSeconds", "peakMB", "beforeMB"))
    say("### A library of 1,000 downloads, half of them finished; a playlist of 100,000 segments\n")
    table(["measurement", "result"], [
        ["open the library, in the process", f"{start:.1f} ms"], ["list the downloads, in the process", f"{listed:.1f} ms"],
        ["`zoetrope downloads list`, the whole process", f"{whole:.0f} ms"], ["the same without a library", f"{empty:.0f} ms"],
        ["100,000 segments: from the URL to the first request of a segment", f"{seconds:.2f} s"], ["peak memory meanwhile, memory before", f"{peak:.0f} MB, {before:.0f} MB"]])
    goal("open a library of 1,000 downloads, ms", start, 50)
    goal("list 1,000 downloads, ms", listed, 20)
    goal("plan 100,000 segments, s", seconds, 1)
    goal("memory for planning, MB", peak - before, 100)
    say()


def soak(count, say, note):
    """Runs Benchmarks/download-soak in several processes, because most of its time is waiting."""
    lanes = min(4, count)
    note(f"download-soak {count}")
    seed = int(time.time())
    runs = [subprocess.Popen([os.path.join(HERE, "download-soak"), str(count // lanes + (i < count % lanes)), str(seed + i), "--release"],
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for i in range(lanes)]
    told = [run.communicate() for run in runs]
    for run, (out, error) in zip(runs, told):
        if run.returncode != 0:
            sys.exit(f"Benchmarks/run: Benchmarks/download-soak found a fault:\n{out[-2000:]}{error[-4000:]}")
    say(f"### Killed at random moments ({count} times: `Benchmarks/download-soak`, {lanes} processes)\n")
    for out, _ in told:
        say("- " + out.strip().splitlines()[-1])
    say("")
