"""Measures the costs of parts and batches: `Benchmarks/run --only farm`.

All values are measured with the release build of the tool. CPU is user + system seconds of all processes.
"""
import concurrent.futures
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FILTER = ["--filter", "GaussianBlur:radius=4"]
# The lengths of the films that are divided into two and into sixteen parts, in seconds. In a film of some seconds, a part would mostly
# start the process and decode the frames since the last keyframe.
SCENE, TRAILER = 40, 120


def used(commands, cores=None):
    """Runs the commands in parallel, each on its own core if `cores` are given. Returns wall and CPU seconds of all."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    running = []
    for index, command in enumerate(commands):
        pinned = ["taskset", "-c", str(cores[index])] if cores else []
        running.append(subprocess.Popen(pinned + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
    for process in running:
        error = process.communicate()[1]
        if process.returncode != 0:
            sys.exit(f"Benchmarks/farm: {' '.join(process.args)} failed: {error.decode()}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - began, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def spent(commands, core):
    """Runs the commands one after the other on a core. Returns the CPU seconds of all, and the wall seconds."""
    total, began = 0, time.monotonic()
    for command in commands:
        process = subprocess.Popen(["taskset", "-c", str(core)] + command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"Benchmarks/farm: {' '.join(command)} failed")
        total += usage.ru_utime + usage.ru_stime
    return total, time.monotonic() - began


def part(tool, film, folder, number, count, options=FILTER):
    return [tool, "render", film, "-o", f"{folder}/{number}-of-{count}.mp4", "-y", "--part", f"{number}/{count}"] + options


def repeated(film, path, seconds):
    """Writes a film of the given length, which repeats the packets of `film`. Returns its path."""
    subprocess.run(["ffmpeg", "-v", "error", "-stream_loop", "-1", "-i", film, "-t", str(seconds), "-c", "copy", path], check=True)
    return path


def leads(film, seconds, count, core):
    """Returns the CPU seconds in which ffmpeg decodes from the keyframe before each part to the part, for a film in `count` parts."""
    text = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v", "-skip_frame", "nokey", "-show_entries", "frame=pts_time", "-of", "csv=p=0", film],
        stdout=subprocess.PIPE, check=True).stdout.decode()
    keyframes = [float(line.split(",")[0]) for line in text.split()]
    ffmpeg, total = ["ffmpeg", "-v", "error", "-threads", "1"], 0
    for number in range(1, count):
        begin = seconds * number / count
        keyframe = max(time for time in keyframes if time <= begin)
        decode = ffmpeg + ["-ss", str(keyframe), "-i", film, "-t", str(begin - keyframe), "-map", "0:v", "-f", "null", "-"]
        total += spent([decode], core)[0] - spent([["ffmpeg", "-v", "error", "-version"]], core)[0]
    return total


def farm(tool, film, runs, table, say, goal, note):
    say("### Parts and batches\n")
    folder = tempfile.mkdtemp(prefix="zt-farm-")
    cores = sorted(os.sched_getaffinity(0))[:2]
    try:
        if len(cores) == 2:
            note("two parts on two cores")
            scene = repeated(film, f"{folder}/scene.mp4", SCENE)
            rows = [(used([part(tool, scene, folder, 1, 1)], cores[:1])[0],
                     used([part(tool, scene, folder, number, 2) for number in (1, 2)], cores)[0]) for _ in range(runs)]
            one, two = (statistics.median(row[index] for row in rows) for index in (0, 1))
            table([f"filtered 1080p export of {SCENE} s", "wall s"], [["one part, one core", f"{one:.2f}"], ["two parts, two cores", f"{two:.2f}"]])
            say(f"- speed of two parts: **{one / two:.2f}**, goal ≥ 1.80 {'✓' if one / two >= 1.8 else '✗'}")
        note("sixteen parts")
        trailer = repeated(film, f"{folder}/trailer.mp4", TRAILER)
        size = os.path.getsize(trailer) / 1e6
        # As one part, because an export that is not divided chooses its encoder's preset by the number of cores.
        whole = [part(tool, trailer, folder, 1, 1)]
        split = [part(tool, trailer, folder, number, 16) for number in range(1, 17)]
        split.append([tool, "join", *[f"{folder}/{number}-of-16.mp4" for number in range(1, 17)], "-o", f"{folder}/joined.mp4", "-y"])
        rows, walls, exports = [], [], []
        for round in range(runs):
            # At the same time, each on its own core, so that both have the same conditions. They change cores in each round.
            with concurrent.futures.ThreadPoolExecutor() as pool:
                results = [pool.submit(spent, commands, cores[(index + round) % len(cores)]) for index, commands in enumerate((whole, split))]
                (alone, wall), (parts, _) = (result.result() for result in results)
            note(f"one export {alone:.1f} s, 16 parts {parts:.1f} s")
            walls.append(wall)
            exports.append(alone)
            rows.append(parts / alone)
        goal(f"CPU of 16 parts of a film of {TRAILER} s and their join compared with one export", statistics.median(rows), 1.05)
        lead = statistics.median(leads(trailer, TRAILER, 16, cores[0]) for _ in range(runs)) / statistics.median(exports)
        say(f"- a limit of exact cuts: ffmpeg needs {lead:.3f} of one export only to decode from the keyframe before each part to its first frame")
        poster, small = posters(tool, film, folder, runs, goal, note)
        start = planning(tool, folder, goal, note)
        say()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    # One simulated library renders trailers, with the speed and the bit rate that were measured. Another one saves the posters that were measured.
    simulation(say, note, "trailers", job=statistics.median(walls), start=start, read=size)
    simulation(say, note, "posters", job=poster, start=start, read=small)


def posters(tool, film, folder, runs, goal, note):
    """Measures a thousand posters of one frame each: the time beyond decoding and encoding alone.

    Returns the seconds of a poster, and the megabytes of its source.
    """
    note("a thousand posters")
    count = 1000
    small = f"{folder}/small.mp4"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", film, "-t", "0.2", "-vf", "scale=320:-2", "-an", small], check=True)
    jobs = f"{folder}/posters.jsonl"
    with open(jobs, "w") as file:
        for number in range(count):
            file.write(json.dumps({"job": "snapshot", "input": small, "output": f"{folder}/{number}.jpg"}) + "\n")
    rows, times = [], []
    for _ in range(runs):
        shutil.rmtree(jobs + ".state", ignore_errors=True)
        batch = used([[tool, "batch", jobs, "--jobs", "1", "--quiet"]])[0]
        # For comparison, ffmpeg opens the file, decodes the first frame and encodes it, less the start of its process.
        began = time.monotonic()
        for _ in range(10):
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", small, "-frames:v", "1", f"{folder}/decode.jpg"], check=True)
        alone = (time.monotonic() - began) / 10
        began = time.monotonic()
        for _ in range(10):
            subprocess.run(["ffmpeg", "-v", "error", "-version"], check=True, stdout=subprocess.DEVNULL)
        start = (time.monotonic() - began) / 10
        rows.append((batch / count - max(0, alone - start)) * 1000)
        times.append(batch / count)
    goal("time of a poster beyond decoding and encoding it, ms", statistics.median(rows), 5)
    return statistics.median(times), os.path.getsize(small) / 1e6


def planning(tool, folder, goal, note):
    note("planning 100,000 jobs")
    jobs = f"{folder}/many.jsonl"
    with open(jobs, "w") as file:
        for number in range(100_000):
            file.write(json.dumps({"job": "snapshot", "input": f"/library/films/{number}.mkv", "output": f"/library/posters/{number}.jpg",
                                   "at": 12.5, "max-width": 320}) + "\n")
    began = time.monotonic()
    process = subprocess.Popen([tool, "batch", jobs, "--dry-run"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("Benchmarks/farm: planning failed")
    goal("planning 100,000 jobs, s", seconds, 2)
    goal("memory for planning, MB", usage.ru_maxrss / 1024, 200)
    return seconds


def simulation(say, note, name, **measured):
    """Runs the simulation with the measured times, in a separate virtual environment, because SimPy comes from PyPI."""
    note("simulating 10,000 machines")
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    environment = os.path.join(root, ".generated/bench/simpy")
    python = os.path.join(environment, "bin/python")
    if not os.path.exists(os.path.join(environment, "ready")):
        subprocess.run([sys.executable, "-m", "venv", environment], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "simpy==4.1.1"], check=True)
        open(os.path.join(environment, "ready"), "w").close()
    options = [f"--name={name}", *[f"--{key}={value:.4g}" for key, value in measured.items()]]
    output = subprocess.run([python, os.path.join(root, "Benchmarks/farm-simulation"), *options], stdout=subprocess.PIPE, check=True).stdout.decode()
    say(output.rstrip() + "\n")
