import CGTK
import Foundation
import GTK
import MediaCore
import MediaEngine
import Overlays
import Presentation
import TestSupport

extension PresentationProbe {
    /// A white rectangle of 16 × 8 points at the lower left of the view.
    final class Marker: FrameOverlay {
        func content(at itemTime: CMTime, hostTime: HostTime, in geometry: OverlayGeometry) -> OverlayContent {
            let bitmap = OverlayBitmap(
                x: 8, y: geometry.height - 16, width: 16, height: 8, pixels: [UInt32](repeating: .max, count: 128))
            return OverlayContent(version: 1, bitmaps: [bitmap].compactMap { $0 })
        }
        func isAnimating(at hostTime: HostTime) -> Bool { false }
        func onChange(_ action: (@Sendable () -> Void)?) {}
    }

    /// The window and its view, and the commands that change them.
    @MainActor
    final class Scene {
        private var window: GTKWindow?
        private var view: PlayerView?
        private let source: FakeSource
        private let options: Options
        private let signals = Signals()
        /// The number of times that GTK's frame clock of the first window has run.
        private var refreshes = 0

        init?(_ options: Options) {
            self.options = options
            let gradient = options.gradient
            let pictures =
                !options.film.isEmpty
                ? Scene.pictures(of: options.film)
                : gradient.count == 3
                    ? [
                        CodePicture.gradient(
                            gradient[0], width: options.picture.width, height: options.picture.height,
                            format: gradient[1],
                            location: gradient[2])
                    ].compactMap { $0 }
                    : (0..<4).compactMap {
                        TestPicture.quadrants(
                            width: options.picture.width, height: options.picture.height, layout: options.layout,
                            matrix: options.matrix,
                            isFullRange: options.isFullRange, rotation: options.rotation,
                            isMirrored: options.isMirrored,
                            pixelAspectRatio: options.pixelAspectRatio, phase: $0)
                    }
            source = FakeSource(pictures, rate: 30)
            // The still frame is number 4: the four colors in their order.
            source.set(moving: options.isMoving, standing: 4)
            guard let view = PlayerView() else { return nil }
            let window = Scene.makeWindow(options)
            self.window = window
            self.view = view
            view.videoGravity = options.gravity
            view.isCovered = options.isCovered
            view.source = source
            if !options.backdrop.isEmpty {
                view.isBackgroundBlack = false
                Stylesheet("window { background: \(options.backdrop); }").ensure()
            }
            window.child = options.isFixed ? fixed(view.widget) : view.widget
            window.present()
            if let clock = view.widget.frameClock {
                signals.on(clock, "after-paint") { [weak self] in self?.refreshes += 1 }
            }
        }

        /// Returns a container that shows the view at a fixed position, in the size of the window.
        private func fixed(_ view: GTKWidget) -> GTKWidget {
            guard let fixed = gtk_fixed_new() else { return view }
            let (width, height) = options.window
            gtk_widget_set_size_request(view.pointer(to: GtkWidget.self), Int32(width), Int32(height))
            let container = GTKWidget(fixed)
            gtk_fixed_put(container.pointer(to: GtkFixed.self), view.pointer(to: GtkWidget.self), 0, 0)
            return container
        }

        private func move(_ x: Double, _ y: Double) {
            guard let view, let container = window?.child else { return }
            gtk_fixed_move(container.pointer(to: GtkFixed.self), view.widget.pointer(to: GtkWidget.self), x, y)
        }

        private func mark(_ isOn: Bool) {
            let composition = isOn ? PictureComposition() : nil
            composition?.add(Marker())
            view?.composition = composition
        }

        private static func pictures(of film: String) -> [VideoFrame] {
            let generator = AVAssetImageGenerator(asset: AVURLAsset(url: URL(fileURLWithPath: film)))
            let taken = [0, 12, 24].compactMap {
                try? generator.copyImage(at: CMTime(value: $0 * 40 + 10, timescale: 1000))
            }
            return taken + [TestPicture.quadrants(width: 160, height: 96)].compactMap { $0 }
        }

        private static func makeWindow(_ options: Options) -> GTKWindow {
            let window = GTKWindow()
            window.setTitle("probe")
            window.isDecorated = false
            window.setDefaultSize(Int32(options.window.width), Int32(options.window.height))
            return window
        }

        func perform(_ line: String) {
            let words = line.split(separator: " ").map(String.init)
            switch words.first ?? "" {
            case "gravity": view?.videoGravity = Options.gravity(words.last ?? "")
            case "covered": view?.isCovered = words.last == "on"
            case "moving": source.set(moving: words.last == "on")
            case "empty": source.set(empty: words.last == "on")
            // There is no frame, but the next one is being prepared.
            case "between": source.set(empty: words.last == "on", changing: words.last == "on")
            case "between-over": source.set(changing: false)
            case "sizes": sizes()
            case "standing": source.set(standing: UInt64(words.last ?? "") ?? 4)
            case "visible":
                view?.widget.isVisible = words.last == "on"
            case "marker": mark(words.last == "on")
            case "move" where words.count == 3: move(Double(words[1]) ?? 0, Double(words[2]) ?? 0)
            case "replant": replant()
            case "drop": drop()
            case "destroy": destroy()
            case "hop": return hop(Int(words.last ?? "") ?? 1)
            case "quit": MainLoop.quit()
            default: break
            }
            facts(line)
        }

        /// Moves the view to a new window and destroys the old one.
        private func replant() {
            guard let view, let window else { return }
            let other = Scene.makeWindow(options)
            window.child = nil
            other.child = view.widget
            other.present()
            window.destroy()
            self.window = other
        }

        private var sizings: [WindowSizing] = []

        /// Shows windows that get another size a few turns of the main loop, or milliseconds, after they appear.
        private func sizes() {
            for index in 0..<16 {
                let window = GTKWindow()
                window.setTitle("size \(index)")
                window.isDecorated = false
                window.child = GTKLabel("").widget
                let sizing = WindowSizing(window)
                sizings.append(sizing)
                sizing.set(CGSize(width: 640, height: 360))
                window.present()
                if index < 8 {
                    later(index) { sizing.set(CGSize(width: 320, height: 180)) }
                } else {
                    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds((index - 8) * 4)) {
                        MainActor.assumeIsolated { sizing.set(CGSize(width: 320, height: 180)) }
                    }
                }
            }
        }

        private func later(_ turns: Int, _ action: @escaping @MainActor () -> Void) {
            guard turns > 0 else { return action() }
            DispatchQueue.main.async { MainActor.assumeIsolated { self.later(turns - 1, action) } }
        }

        private func destroy() {
            window?.destroy()
            window = nil
        }

        /// Releases the view while its window stays open.
        private func drop() {
            view?.source = nil
            window?.child = nil
            view = nil
        }

        /// Calls the main actor from another thread `count` times in sequence, and then prints the facts.
        private func hop(_ count: Int) {
            Task.detached {
                for _ in 0..<count { await MainActor.run {} }
                await MainActor.run { self.facts("hop") }
            }
        }

        func facts(_ command: String) {
            var time = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            let cpu = Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
            let line =
                "{\"command\":\"\(command)\",\"presented\":\(source.presented),\"pulls\":\(source.pulls),\"refreshes\":\(refreshes),\"cpuSeconds\":\(cpu),\"isOnSurface\":\(view?.isOnSurface == true)}\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }
}
