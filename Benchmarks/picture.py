"""Measures filters, tone mapping and overlays: the part of Benchmarks/run under `--only picture`."""
import json
import os
import statistics
import subprocess


def picture(bench, media, to_end, table, say, goal, note, medians, runs, tool, mpv):
    film = media("picture720.mp4", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=10", "-f", "lavfi",
                 "-i", "sine=frequency=440:duration=10", "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p",
                 "-c:a", "aac", "-shortest")
    hdr = media("picture2160pq.mp4", "-f", "lavfi", "-i", "testsrc2=size=3840x2160:rate=24:duration=1", "-c:v", "libx265", "-preset",
                "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params", "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
                "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc")
    sdr = media("picture2160.mp4", "-f", "lavfi", "-i", "testsrc2=size=3840x2160:rate=24:duration=1", "-c:v", "libx265", "-preset",
                "ultrafast", "-pix_fmt", "yuv420p10le", "-x265-params", "log-level=none")

    def ask(*arguments, **environment):
        return json.loads(subprocess.run([*bench, *arguments], check=True, capture_output=True, text=True,
                                         env={**os.environ, **environment}).stdout.strip().splitlines()[-1])

    # A stack of color filters.
    rows = [ask("stack", film) for _ in range(runs)]
    none, one, five = (statistics.median(r[k] for r in rows) for k in ("none", "one", "five"))
    say("### Color filters at 1280×720 on the CPU, conversion included\n")
    table(["filters", "ms per frame", "× one"], [["none", f"{none:.2f}", f"{none / one:.2f}"], ["one", f"{one:.2f}", "1.00"], ["five", f"{five:.2f}", f"{five / one:.2f}"]])
    goal("five color filters compared with one", five / one, 1.3)
    say()

    # Tone mapping.
    a = statistics.median(ask("scale", hdr, "1280x720")["ms"] for _ in range(runs))
    b = statistics.median(ask("scale", sdr, "1280x720")["ms"] for _ in range(runs))
    say("### 3840×2160 of 10 bits to 1280×720\n")
    table(["video", "ms per frame", "× SDR"], [["PQ, tone mapped", f"{a:.1f}", f"{a / b:.2f}"], ["SDR", f"{b:.1f}", "1.00"]])

    # Comparison with mpv's filters.
    size = ["--size", "1280x720"]
    chain = "lavfi=[eq=brightness=0.1:contrast=1.2,colorchannelmixer=.393:.769:.189:0:.349:.686:.168:0:.272:.534:.131]"
    players = {
        "zoetrope": [tool, "play", film, *size, "--brightness", "0.1", "--contrast", "1.2", "--filter", "CISepiaTone"],
        "mpv --vo=x11": mpv + ["--vo=x11", "--geometry=1280x720", f"--vf={chain}", film],
        "zoetrope, no filters": [tool, "play", film, *size],
        "mpv --vo=x11, no filters": mpv + ["--vo=x11", "--geometry=1280x720", film],
    }
    m = turns(players, to_end, runs, note, medians)
    say("### Brightness, contrast and sepia, 1280×720 at 30 fps, 10 s\n")
    table(["player", "CPU s", "X server CPU s"], [[k, f"{v[0]:.2f}", f"{v[3]:.2f}"] for k, v in m.items()])
    goal("CPU compared with the same filters in mpv", m["zoetrope"][0] / m["mpv --vo=x11"][0], 0.5)
    say()

    # Overlays.
    words = os.path.join(os.path.dirname(film), "picture.srt")
    with open(words, "w") as f:
        for i in range(5):
            f.write(f"{i + 1}\n00:00:0{2 * i},000 --> 00:00:0{2 * i + 1},900\nA line of words, as films have them,\nand a second one below it.\n\n")
    players = {k: [*bench, "window", film, "1280x720", k, words] for k in ("none", "vector", "subtitles")}
    m = turns(players, to_end, max(runs, 5), note, medians)
    say("### Overlays, 1280×720 at 30 fps, 10 s\n")
    table(["overlay", "CPU s", "× none"], [[k, f"{v[0]:.2f}", f"{v[0] / m['none'][0]:.3f}"] for k, v in m.items()])
    goal("a static vector overlay compared with none", m["vector"][0] / m["none"][0], 1.03)
    goal("subtitles compared with none", m["subtitles"][0] / m["none"][0], 1.03)
    say()

    # Each filter.
    costs = ask("filters", film, ZOETROPE_RENDERER="cpu")
    shaders = ask("filters", film, ZOETROPE_RENDERER="gl")
    others = ffmpeg_filters(film)
    base = costs.pop("none")
    say("### Each filter at 1280×720, CPU ms per frame\n")
    say(f"Conversion of the frame alone: {base:.1f} ms, included below. “OpenGL” is Mesa's software renderer. “FFmpeg” is its filter of that "
        "kind, in YUV 4:2:0, without decoding.\n")
    def cell(values, name):
        return f"{values[name]:.1f}" if name in values else "–"
    table(["filter", "ms", "OpenGL", "FFmpeg"],
          [[name[2:], f"{cost:.1f}", cell(shaders, name), cell(others, name)] for name, cost in sorted(costs.items(), key=lambda kv: kv[1])])


# FFmpeg's filters of the same kind, with the same strength.
FFMPEG = {
    "CIGaussianBlur": "gblur=sigma=10", "CIBoxBlur": "boxblur=10:1", "CIUnsharpMask": "unsharp=7:7:0.5", "CIMedianFilter": "median=1",
    "CIMotionBlur": "dblur=angle=0:radius=20", "CINoiseReduction": "hqdn3d", "CISobelGradients": "sobel", "CIEdges": "roberts",
    "CIMorphologyMaximum": "dilation", "CIMorphologyMinimum": "erosion", "CIPixellate": "pixelize=8:8", "CIVignetteEffect": "vignette",
    "CIConvolution3X3": "convolution=" + " ".join(["1"] * 9), "CIConvolution5X5": "convolution=" + " ".join(["1"] * 25),
    "CIConvolution7X7": "convolution=" + " ".join(["1"] * 49), "CIMultiplyBlendMode": "split,blend=all_mode=multiply",
    "CIOverlayBlendMode": "split,blend=all_mode=overlay", "CISoftLightBlendMode": "split,blend=all_mode=softlight",
    "CIScreenBlendMode": "split,blend=all_mode=screen", "CISourceOverCompositing": "split,overlay",
}


def ffmpeg_filters(film):
    """Returns the CPU milliseconds per frame of each filter, from 30 decoded frames, minus those without a filter."""
    raw = film + ".yuv"
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", film, "-frames:v", "30", "-f", "rawvideo", "-pix_fmt", "yuv420p", raw], check=True)

    def cost(chain):
        before = os.times()
        done = subprocess.run(["ffmpeg", "-v", "error", "-filter_threads", "1", "-filter_complex_threads", "1", "-f", "rawvideo", "-s", "1280x720",
                               "-pix_fmt", "yuv420p", "-i", raw, "-vf", chain, "-threads", "1", "-f", "null", "-"], capture_output=True)
        after = os.times()
        return None if done.returncode else (after[2] + after[3] - before[2] - before[3]) * 1000 / 30
    none = cost("null")
    costs = {name: cost(chain) for name, chain in FFMPEG.items()}
    os.remove(raw)
    return {name: value - none for name, value in costs.items() if value is not None}


def turns(players, to_end, runs, note, medians):
    results = {k: [] for k in players}
    for run in range(runs):
        for name, command in players.items():
            seconds, wall, memory, x, _, status = to_end(command)
            if status != 0:
                raise SystemExit(f"Benchmarks/run: {name} ended with {status}: {' '.join(command)}")
            note(f"picture {run + 1}: {name}: {seconds:.2f} CPU s, {wall:.1f} s")
            results[name].append((seconds, wall, memory, x))
    return {k: medians(v) for k, v in results.items()}
