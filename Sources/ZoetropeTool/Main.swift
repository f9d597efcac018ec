import ArgumentParser
import Foundation
import Zoetrope
import MediaEngine

@main struct Tool: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zoetrope", abstract: "Play, probe and snapshot media.",
        subcommands: [Probe.self, Snapshot.self, Try.self])
}
struct Try: ParsableCommand {
    @Argument var file: String
    @Flag var loop = false
    @Option var seconds: Double = 5
    @Flag var seeks = false
    @Flag var steps = false
    func run() throws {
        MainActor.assumeIsolated {
            let q = AVQueuePlayer(items: [])
            let item = AVPlayerItem(url: URL(fileURLWithPath: file))
            let l: AVPlayerLooper? = loop ? AVPlayerLooper(player: q, templateItem: item) : nil
            if !loop { q.insert(item) }
            q.actionAtItemEnd = .pause
            let d = HeadlessDisplay(source: q.videoFrameSource) { _ in }
            let o = q.observe(\.timeControlStatus, options: [.new, .initial]) { p, c in print("tcs", c.newValue as Any) }
            let e = item.observe(\.status, options: [.new, .initial]) { p, c in print("status", p.status, p.error as Any) }
            let t = q.addPeriodicTimeObserver(forInterval: CMTime(seconds: 0.5, preferredTimescale: 600)) { print("t", $0.seconds) }
            q.play()
            let seeks = self.seeks, steps = self.steps
            if steps { Task { @MainActor in
                q.pause()
                for t in [1.0, 2.5, 0.0, 4.99, 9.99, 100, -3, 3.0] {
                  let h = HostClock.now()
                  let ok = await q.seek(to: CMTime(seconds: t, preferredTimescale: 90000))
                  let f = q.videoFrameSource.pull(forHostTime: HostClock.now())
                  print("seek", t, ok, f?.frame.presentationTime.seconds as Any, Double(HostClock.now() - h)/1e6)
                }
                for n in [1,1,1,-1,-1,-1,5,-5] {
                  item.step(byCount: n); try? await Task.sleep(nanoseconds: 300_000_000)
                  let f = q.videoFrameSource.pull(forHostTime: HostClock.now())
                  print("step", n, f?.frame.presentationTime.seconds as Any, q.currentTime().seconds)
                }
                q.rate = 2
                try? await Task.sleep(nanoseconds: 1_000_000_000)
                print("2x after 1s", q.currentTime().seconds)
                q.rate = 0.5
                try? await Task.sleep(nanoseconds: 1_000_000_000)
                print("0.5x after 1s", q.currentTime().seconds)
                q.rate = 8
                try? await Task.sleep(nanoseconds: 300_000_000)
                print("8x after 0.3s", q.currentTime().seconds)
            } }
            if seeks { for i in 0..<100 {
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.5 + Double(i) * 0.01) { MainActor.assumeIsolated {
                    let h = HostClock.now()
                    q.seek(to: CMTime(seconds: Double((i * 37) % 90) / 10, preferredTimescale: 600)) { ok in
                        let f = q.videoFrameSource.pull(forHostTime: HostClock.now())
                        print("seek", i, Double((i * 37) % 90) / 10, ok, Double(HostClock.now() - h)/1e6, f?.frame.presentationTime.seconds as Any, q.currentTime().seconds) }
                } }
            } }
            let end = seconds
            DispatchQueue.main.asyncAfter(deadline: .now() + end) {
                MainActor.assumeIsolated {
                    let s = q.statistics
                    print(s.framesDecoded, s.framesShown, s.framesDropped, s.loops, s.underruns, s.offsets.sorted().last as Any)
                    d.stop(); _ = (l, o, e, t)
                    var r = rusage(); getrusage(__rusage_who_t(0), &r)
                    print("cpu", Double(r.ru_utime.tv_sec) + Double(r.ru_utime.tv_usec)/1e6 + Double(r.ru_stime.tv_sec) + Double(r.ru_stime.tv_usec)/1e6, r.ru_maxrss)
                    Foundation.exit(0)
                }
            }
        }
        dispatchMain()
    }
}
